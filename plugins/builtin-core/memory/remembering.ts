import type { PluginContext, StoredMessage } from 'pegboard';
import type { Kysely } from 'kysely';
import { createBackground, type Background } from './background.ts';
import { embedMissing } from './vectors/embed-memories.ts';
import { findEvidence, type MemoryEvidence } from './recall/evidence.ts';
import { sourcesOf, storeMemory, type NewMemory } from './memories.ts';
import { recallMemories, type Recalled, type RecallOptions } from './recall/recall.ts';
import type { MemoryTables } from './tables.ts';
import { indexConversations, indexedUntil } from './recall/turns.ts';
import { createVectorIndex, type Similarities } from './vectors/vectors.ts';

/** The services that memory's tools, hooks and commands share. */
export interface Remembering {
  readonly context: PluginContext<any>;
  readonly database: Kysely<MemoryTables>;
  readonly background: Background;
  store(memory: NewMemory): Promise<{ readonly id: number; readonly known: boolean }>;
  /** Similarities of all memories to the question or its vector. Undefined without embeddings. */
  similarities(question: string | Float32Array, signal?: AbortSignal): Promise<Similarities | undefined>;
  recall(question: string, options: RecallOptions): Promise<readonly Recalled[]>;
  /** Relevant past messages. Those that the recalled memories came from are boosted. */
  evidence(
    question: string,
    recalled: readonly Recalled[],
    currentConversation?: number,
  ): Promise<readonly MemoryEvidence[]>;
  /** The user's last message in the conversation, which a memory of this turn comes from. */
  lastUserMessage(conversation: number): Promise<StoredMessage | undefined>;
  embedLater(): void;
}

/** Opens the database and loads the code that needs it, on first use. */
export type Remember = () => Promise<Remembering>;

/** The bonus to the scores of messages that the best memory came from; memories below it give less. */
const sourceBonus = 4;
/** Maximum number of memories whose messages get a bonus. */
const maxBoosted = 5;

export function createRemembering(context: PluginContext<any>, database: Kysely<MemoryTables>): Remembering {
  const { history, log } = context;
  const vectors = createVectorIndex();
  const background = context.own(createBackground(log));
  /** Other processes index their own conversations. The next process finds what they missed. */
  let indexed = false;

  const embedLater = (): void =>
    background.run('embedding memories', () => embedMissing(database, (texts) => context.embed(texts)));

  return {
    context,
    database,
    background,
    embedLater,
    async store(memory) {
      const stored = await storeMemory(database, memory);
      embedLater();
      return stored;
    },
    async similarities(question, signal) {
      const vector = typeof question === 'string' ? (await context.embed([question], signal))?.[0] : question;
      return vector && (await vectors.similarities(database, vector));
    },
    recall: (question, options) => recallMemories(database, question, options),
    async evidence(question, recalled, currentConversation) {
      if (!indexed) await indexConversations(database, history, { except: currentConversation });
      indexed = true;
      return await findEvidence(database, question, await boosts(database, recalled));
    },
    async lastUserMessage(conversation) {
      const after = await indexedUntil(database, conversation);
      const messages = await history.messages(conversation, { after });
      return messages.findLast(({ role }) => role === 'user');
    },
  };
}

async function boosts(
  database: Kysely<MemoryTables>,
  recalled: readonly Recalled[],
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  for (const [rank, { id }] of recalled.slice(0, maxBoosted).entries()) {
    for (const message of await sourcesOf(database, id)) {
      if (!found.has(message)) found.set(message, sourceBonus / (1 + rank));
    }
  }
  return found;
}
