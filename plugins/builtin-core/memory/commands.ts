import { PegboardError, type CommandCall, type History, type PluginCommand, pegboard } from 'pegboard';
import type { Kysely } from 'kysely';
import type { Memory } from './memories.ts';
import type { Remember, Remembering } from './remembering.ts';
import type { MemoryTables } from './tables.ts';

type Commands = { readonly [name: string]: PluginCommand };

const defaultLimit = 20;
const defaultGraph = 2_000;

/** `pegboard memory …` */
export function createMemoryCommands(remember: Remember): Commands {
  return {
    async 'memory list'(call) {
      const [{ database, context }, { listMemories }, { showMemory }] = await Promise.all([
        remember(),
        import('./memories.ts'),
        import('./recall/show.ts'),
      ]);
      const category = textOption(call, 'category');
      const memories = await listMemories(database, {
        limit: numberOption(call, 'limit') ?? defaultLimit,
        all: call.options['all'] === true,
        ...(category !== undefined && { category }),
      });
      const lines = memories.map((memory) => showMemory(memory, context.timezone));
      answer(
        call,
        { memories: await withOrigins(memories, database, context.history, call) },
        lines.length > 0 ? lines : ['Nothing is remembered.'],
      );
    },
    async 'memory search'(call) {
      const query = call.words.join(' ').trim();
      if (query === '') throw usage('memory search needs words to look for.');
      const [memory, { showMemory }, { packEvidence }] = await Promise.all([
        remember(),
        import('./recall/show.ts'),
        import('./recall/pack.ts'),
      ]);
      const { timezone } = memory.context;
      const similarities = await memory.similarities(query, call.signal);
      const limit = numberOption(call, 'limit') ?? defaultLimit;
      const memories = await memory.recall(query, { limit, similarities });
      const evidence = packEvidence(await memory.evidence(query, memories), query, timezone);
      const lines = [
        ...memories.map((each) => showMemory(each, timezone)),
        ...(evidence.text === '' ? [] : ['', evidence.text]),
      ];
      answer(
        call,
        {
          memories: await withOrigins(memories, memory.database, memory.context.history, call),
          messages: evidence.messages.map(({ message }) => message),
        },
        lines.length > 0 ? lines : ['Nothing is remembered about that.'],
      );
    },
    async 'memory why'(call) {
      const id = idOf(call, 'memory why');
      const [{ database, context }, { explainMemory }] = await Promise.all([
        remember(),
        import('./recall/why.ts'),
      ]);
      const why = await explainMemory(database, context.history, id);
      if (!why) throw noMemory(id);
      const { showWhy } = await import('./recall/show-why.ts');
      answer(call, why, showWhy(why, context.timezone));
    },
    'memory graph': async (call) => showGraph(call, await remember()),
    'memory forget': async (call) => forget(call, await remember()),
    async 'memory reembed'(call) {
      const [{ database, context, background }, { reembed }] = await Promise.all([
        remember(),
        import('./vectors/reembed.ts'),
      ]);
      await background.idle();
      const embedded = await reembed(
        { database, embed: (texts, signal) => context.embed(texts, signal) },
        {
          restart: call.options['restart'] === true,
          signal: call.signal,
          onDone: (done, total) => call.progress(done, total, 'embedding memories'),
        },
      );
      answer(call, { embedded }, [`Embedded ${embedded === 1 ? '1 memory' : `${embedded} memories`} anew.`]);
    },
    async 'memory backfill'(call) {
      const [memory, { backfill }] = await Promise.all([remember(), import('./backfill.ts')]);
      const done = await backfill(memory, call.signal, (finished, total, what) =>
        call.progress(finished, total, what),
      );
      if (done.conversations === 0) return answer(call, done, ['There are no conversations yet.']);
      const missing = done.worker
        ? ''
        : ` No notes were made of ${done.conversations === 1 ? 'it' : 'them'}: set MEMORY_WORKER_MODEL to a model that may read conversations.`;
      answer(call, done, [
        `Read ${done.conversations === 1 ? '1 conversation' : `${done.conversations} conversations`}.${missing}`,
      ]);
    },
  };
}

async function showGraph(call: CommandCall, { database }: Remembering): Promise<void> {
  const { wholeGraph } = await import('./graph/graph.ts');
  const { nodes, edges } = await wholeGraph(database, numberOption(call, 'limit') ?? defaultGraph);
  const lines = edges.map(({ from, relation, to, memory }) => `${from} → ${relation} → ${to} (#${memory})`);
  answer(call, { nodes, edges }, lines.length > 0 ? lines : ['Nothing is linked yet.']);
}

async function forget(call: CommandCall, memory: Remembering): Promise<void> {
  const id = idOf(call, 'memory forget');
  if (call.options['preview'] === true) return await showForgottenAlong(call, id, memory);
  const { archiveMemory, getMemory } = await import('./memories.ts');
  const forgotten = await archiveMemory(memory.database, id);
  if (!forgotten && !(await getMemory(memory.database, id))) throw noMemory(id);
  answer(call, { id, forgotten }, [forgotten ? `Forgot #${id}.` : `#${id} was forgotten before.`]);
}

/** For --json: whether any of the messages that it came from was written by others, or after reading their words. */
async function withOrigins(
  memories: readonly Memory[],
  database: Kysely<MemoryTables>,
  history: History,
  { options }: CommandCall,
): Promise<readonly object[]> {
  if (options['json'] !== true) return memories;
  const { sourcesOf } = await import('./memories.ts');
  return await Promise.all(
    memories.map(async (memory) => {
      const origins = await history.originsOf(await sourcesOf(database, memory.id));
      return { ...memory, fromOthers: origins.length > 0 };
    }),
  );
}

async function showForgottenAlong(
  call: CommandCall,
  id: number,
  { database, context }: Remembering,
): Promise<void> {
  const [{ forgottenAlong }, { showMemory }] = await Promise.all([
    import('./recall/forgotten-along.ts'),
    import('./recall/show.ts'),
  ]);
  const along = await forgottenAlong(database, context.history, id);
  if (!along) throw noMemory(id);
  const { memories, observations, messages } = along;
  const relations = along.relations.map((edge) => ({
    ...edge,
    says: `${edge.from} → ${edge.relation} → ${edge.to}`,
  }));
  const lines = [
    ...memories.map((memory) => showMemory(memory, context.timezone)),
    ...observations.map(({ text }) => `note: ${text}`),
    ...relations.map(({ says }) => `relation: ${says}`),
    ...messages.map(({ id: message }) => `message ${message} is no longer found`),
  ];
  answer(call, { ...along, relations }, lines.length > 0 ? lines : [`#${id} was forgotten before.`]);
}

function answer(call: CommandCall, document: unknown, lines: readonly string[]): void {
  if (call.options['json'] === true) call.json(document);
  else for (const line of lines) call.out(line);
}

function idOf({ words }: CommandCall, command: string): number {
  const id = Number(words[0]?.replace(/^#/, ''));
  if (words.length === 1 && Number.isInteger(id) && id > 0) return id;
  throw usage(`${command} needs the number of one memory. \`${pegboard} memory list\` shows them.`);
}

function textOption({ options }: CommandCall, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
}

function numberOption({ options }: CommandCall, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw usage(`--${name} is a whole number from 1, not "${String(value)}".`);
}

const usage = (message: string): PegboardError => new PegboardError('PEG_USAGE', message);

const noMemory = (id: number): PegboardError =>
  usage(`There is no memory #${id}. \`${pegboard} memory list --all\` shows all.`);
