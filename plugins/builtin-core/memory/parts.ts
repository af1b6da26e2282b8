import type { Moving, PluginCommand, PluginContext, Tool, TurnHooks } from 'pegboard';
import { migrations } from '../migrations.ts';
import { createMemoryCommands } from './commands.ts';
import type { Remember, Remembering } from './remembering.ts';
import { indexes, type MemoryTables } from './tables.ts';
import { createMemoryForget } from './tools/forget.ts';
import { createMemoryGraph } from './tools/graph.ts';
import { createMemoryRecall } from './tools/recall.ts';
import { createMemoryStore } from './tools/store.ts';
import { createTurnHooks } from './recall/turn-hooks.ts';

export interface MemoryParts {
  readonly core: readonly Tool[];
  /** The same tools for agents whose files name the module. */
  readonly memory: readonly Tool[];
  readonly turn: Pick<TurnHooks, 'history' | 'preTurn' | 'postTurn'>;
  readonly commands: { readonly [name: string]: PluginCommand };
  readonly onSecretScrubbed: (secret: string) => Promise<void>;
  readonly moving: Moving;
}

export function createMemoryParts(context: PluginContext<any>): MemoryParts {
  const tables = context.database<MemoryTables>(migrations);
  let opening: Promise<Remembering> | undefined;
  const open = async (): Promise<Remembering> => {
    const [{ createRemembering }, database] = await Promise.all([import('./remembering.ts'), tables.open()]);
    return createRemembering(context, database);
  };
  const remember: Remember = () => {
    opening ??= open().catch((cause: unknown) => {
      opening = undefined;
      throw cause;
    });
    return opening;
  };
  const { timezone } = context;
  const store = createMemoryStore(remember, timezone);
  const recall = createMemoryRecall(remember, timezone);
  const forget = createMemoryForget(remember, timezone);
  return {
    core: [store, recall, forget, createMemoryGraph(remember)],
    memory: [alsoCalled('remember', store), alsoCalled('recall', recall), alsoCalled('forget', forget)],
    turn: createTurnHooks(remember),
    commands: createMemoryCommands(remember),
    async onSecretScrubbed(secret) {
      const { scrubIndexes } = await import('./scrub-indexes.ts');
      await scrubIndexes(await tables.open(), secret);
    },
    moving: {
      indexes,
      async buildIndexes({ from, to }) {
        const { moveIndexes } = await import('./full-text/move-indexes.ts');
        await moveIndexes(from, to);
      },
    },
  };
}

/** The tool of pack `core` under its name in pack `memory`. */
const alsoCalled = (name: string, tool: Tool): Tool => ({
  ...tool,
  name,
  aliases: [],
  sameAs: `core.${tool.name}`,
});
