import type {
  HistoryPrefix,
  IncomingMessage,
  PreambleSection,
  Reply,
  TurnContext,
  TurnHookName,
  TurnHooks,
} from '../api/conversation.ts';
import type { Logger } from '../api/log.ts';
import type { Clock } from '../api/surroundings.ts';
import { withinLimit } from '../core/async/deadline.ts';

/** What one plugin adds to turns. */
export interface TurnHookOwner {
  /** For the log. */
  readonly name: string;
  readonly hooks: Partial<TurnHooks>;
}

/** The hooks of all plugins as one. Never rejects: a hook that fails or times out is skipped, and logged. */
export interface TurnHookTable {
  /** Rewrites are applied in the order of the plugins, until the first reply. */
  message(message: IncomingMessage): Promise<{ readonly message: IncomingMessage; readonly reply?: string }>;
  /** The first summary that a plugin has. */
  history(turn: TurnContext): Promise<HistoryPrefix | undefined>;
  preTurn(turn: TurnContext): Promise<readonly PreambleSection[]>;
  /** Without a timeout: only a closing host waits for it. */
  postTurn(turn: TurnContext, reply: Reply): Promise<void>;
}

/** How long a turn waits for one hook. */
const hookTimeoutMs = 10_000;

/** What the table of the current plugins is made of. */
export interface TurnHookServices {
  readonly turnHooks: () => readonly TurnHookOwner[];
  readonly log: Logger;
  readonly clock: Clock;
}

export function createTurnHookTable({ turnHooks, log, clock }: TurnHookServices): TurnHookTable {
  const owners = turnHooks();
  const unlessItFails = async <T>(name: string, hook: TurnHookName, work: () => Promise<T>) => {
    try {
      return await work();
    } catch (cause) {
      log.error(`the ${hook} hook of ${name} was left out of a turn`, { cause });
      return undefined;
    }
  };
  const inTime = <T>(name: string, hook: TurnHookName, work: () => Promise<T>) =>
    unlessItFails(name, hook, () => withinLimit(work(), hookTimeoutMs, clock));

  return {
    async message(first) {
      let message = first;
      for (const { name, hooks } of owners) {
        if (!hooks.message) continue;
        const said = await inTime(name, 'message', () => hooks.message!(message));
        if (said?.text !== undefined) message = { ...message, text: said.text };
        if (said?.reply !== undefined) return { message, reply: said.reply };
      }
      return { message };
    },
    async history(turn) {
      for (const { name, hooks } of owners) {
        const found = hooks.history && (await inTime(name, 'history', () => hooks.history!(turn)));
        if (found) return found;
      }
      return undefined;
    },
    async preTurn(turn) {
      const sections = await Promise.all(
        owners.map(async ({ name, hooks }) =>
          hooks.preTurn ? await inTime(name, 'preTurn', () => hooks.preTurn!(turn)) : undefined,
        ),
      );
      return sections.flatMap((own) => own ?? []);
    },
    async postTurn(turn, reply) {
      for (const { name, hooks } of owners)
        if (hooks.postTurn) await unlessItFails(name, 'postTurn', () => hooks.postTurn!(turn, reply));
    },
  };
}
