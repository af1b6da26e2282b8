import type { History, StoredMessage } from 'pegboard';
import type { Kysely } from 'kysely';
import { fullTextOf } from '../full-text/full-text-of.ts';
import { inWords } from '../day.ts';
import { gramsOf } from '../words/grams.ts';
import type { MemoryTables } from '../tables.ts';

type Db = Kysely<MemoryTables>;

/** A longer pause begins a new session. */
const maxPauseMs = 60 * 60_000;
/** A session is indexed again whenever a message is added to it. */
const maxTurns = 50;
/** Messages that are read at once. */
const batchSize = 200;

/** Adds new messages of all conversations to the index of turns. Cheap when nothing is new. */
export async function indexConversations(
  database: Db,
  history: History,
  options: {
    readonly except?: number | undefined;
    readonly onDone?: (done: number, total: number) => void;
  } = {},
): Promise<void> {
  const conversations = await history.conversations();
  for (const [at, conversation] of conversations.entries()) {
    if (conversation.id !== options.except) await indexConversation(database, history, conversation);
    options.onDone?.(at + 1, conversations.length);
  }
}

/** Continues where the last run stopped, in atomic steps. Several processes may do this at once. */
export async function indexConversation(
  database: Db,
  history: History,
  { id, source }: { readonly id: number; readonly source: string },
): Promise<void> {
  for (;;) {
    const after = await indexedUntil(database, id);
    const messages = await history.messages(id, { after, limit: batchSize });
    if (messages.length === 0) return;
    const isFirst = await database.transaction().execute(async (transaction) => {
      // Another process may have been faster.
      if ((await indexedUntil(transaction, id)) !== after) return false;
      await addTurns(transaction, { id, source }, messages);
      await setIndexedUntil(transaction, id, messages.at(-1)!.id);
      return true;
    });
    if (isFirst && messages.length < batchSize) return;
  }
}

async function addTurns(
  transaction: Db,
  conversation: { readonly id: number; readonly source: string },
  messages: readonly StoredMessage[],
): Promise<void> {
  const forgotten = await forgottenAmong(transaction, messages);
  const changed = new Set<number>();
  let session = await lastSession(transaction, conversation.id);
  for (const { id, role, text, at } of messages) {
    const continues =
      session && session.turns < maxTurns && Date.parse(at) - Date.parse(session.lastAt) <= maxPauseMs;
    if (!session || !continues) session = await beginSession(transaction, conversation, at);
    await transaction
      .insertInto('memory_turns')
      .values({ message_id: id, session_id: session.id, position: session.turns, role, at })
      .execute();
    if (!forgotten.has(id)) await insertTurn(transaction, id, text);
    session = { ...session, turns: session.turns + 1, lastAt: at };
    await transaction
      .updateTable('memory_sessions')
      .set({ turns: session.turns, last_at: at })
      .where('id', '=', session.id)
      .execute();
    changed.add(session.id);
  }
  for (const each of changed) await indexSession(transaction, each);
}

/** Removes these messages from the index. The messages themselves stay in the history. */
export async function forgetTurns(transaction: Db, messages: readonly number[]): Promise<void> {
  if (messages.length === 0) return;
  await fullTextOf(transaction).removeTurns(transaction, messages);
  await indexSessionsOf(transaction, messages);
}

/** Updates messages whose text has changed. */
export async function reindexTurns(
  transaction: Db,
  turns: readonly { readonly message: number; readonly text: string }[],
): Promise<void> {
  const messages = turns.map(({ message }) => message);
  if (messages.length === 0) return;
  await fullTextOf(transaction).removeTurns(transaction, messages);
  for (const { message, text } of turns) await insertTurn(transaction, message, text);
  await indexSessionsOf(transaction, messages);
}

const insertTurn = (transaction: Db, message: number, text: string): Promise<void> =>
  fullTextOf(transaction).addTurn(transaction, message, text, gramsOf(text));

async function indexSessionsOf(transaction: Db, messages: readonly number[]): Promise<void> {
  const sessions = await transaction
    .selectFrom('memory_turns')
    .select('session_id')
    .distinct()
    .where('message_id', 'in', messages)
    .execute();
  for (const { session_id } of sessions) await indexSession(transaction, session_id);
}

/** All texts of the session and its day, as one text. */
async function indexSession(transaction: Db, id: number): Promise<void> {
  await fullTextOf(transaction).setSession(transaction, id, await dayOf(transaction, id));
}

async function dayOf(transaction: Db, session: number): Promise<string> {
  const { started_at } = await transaction
    .selectFrom('memory_sessions')
    .select('started_at')
    .where('id', '=', session)
    .executeTakeFirstOrThrow();
  return inWords(started_at);
}

interface Session {
  readonly id: number;
  readonly turns: number;
  readonly lastAt: string;
}

async function lastSession(database: Db, conversation: number): Promise<Session | undefined> {
  return await database
    .selectFrom('memory_sessions')
    .select(['id', 'turns', 'last_at as lastAt'])
    .where('conversation_id', '=', conversation)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

async function beginSession(
  transaction: Db,
  { id, source }: { readonly id: number; readonly source: string },
  at: string,
): Promise<Session> {
  const row = { conversation_id: id, source, started_at: at, last_at: at, turns: 0 };
  const begun = await transaction
    .insertInto('memory_sessions')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: begun.id, turns: 0, lastAt: at };
}

/** Those of the messages that a forgotten memory came from. */
async function forgottenAmong(
  transaction: Db,
  messages: readonly StoredMessage[],
): Promise<ReadonlySet<number>> {
  const rows = await transaction
    .selectFrom('memory_sources')
    .innerJoin('memory_memories', 'memory_memories.id', 'memory_sources.memory_id')
    .select('memory_sources.message_id')
    .where('memory_memories.archived_at', 'is not', null)
    .where(
      'memory_sources.message_id',
      'in',
      messages.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map(({ message_id }) => message_id));
}

export async function indexedUntil(database: Db, conversation: number): Promise<number> {
  const row = await database
    .selectFrom('memory_progress')
    .select('indexed_until')
    .where('conversation_id', '=', conversation)
    .executeTakeFirst();
  return row?.indexed_until ?? 0;
}

async function setIndexedUntil(transaction: Db, conversation: number, message: number): Promise<void> {
  await transaction
    .insertInto('memory_progress')
    .values({ conversation_id: conversation, indexed_until: message, observed_until: 0 })
    .onConflict((conflict) => conflict.column('conversation_id').doUpdateSet({ indexed_until: message }))
    .execute();
}
