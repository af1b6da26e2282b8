import { dialectOf, parseJson, PegboardError, toJson } from 'pegboard';
import { visibleText } from 'pegboard/channels';
import { sql, type Kysely, type Selectable } from 'kysely';
import { fullTextOf } from './full-text/full-text-of.ts';
import { removeFromGraph } from './graph/graph-store.ts';
import { retireObservationsOf } from './worker/observations.ts';
import type { MemoryTables } from './tables.ts';
import { forgetTurns } from './recall/turns.ts';

export interface Memory {
  readonly id: number;
  readonly content: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** `told`: stored by a call. `observed`: promoted from a conversation. */
  readonly origin: 'told' | 'observed';
  /** ISO 8601, like all times here. */
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly archivedAt?: string;
  readonly supersededBy?: number;
}

export interface NewMemory {
  readonly content: string;
  /** Default: the category of the superseded memory, or "note". */
  readonly category?: string | undefined;
  /** Default: the tags of the superseded memory. */
  readonly tags?: readonly string[] | undefined;
  readonly origin: 'told' | 'observed';
  readonly expiresAt?: string | undefined;
  /** Ids of the messages that it comes from. */
  readonly sources: readonly number[];
  /** The memory that it replaces because it is outdated or less complete. */
  readonly supersedes?: number | undefined;
}

type Db = Kysely<MemoryTables>;

const defaultCategory = 'note';

/** Stores a memory atomically. `known`: an identical one exists already, and its id is returned. */
export async function storeMemory(
  database: Db,
  memory: NewMemory,
): Promise<{ readonly id: number; readonly known: boolean }> {
  return await database.transaction().execute((transaction) => addMemory(transaction, memory));
}

/**
 * Part of the caller's transaction. Invisible characters are removed. Throws PEG_INVALID_ARGUMENTS when nothing is
 * left, or when the memory to supersede doesn't exist.
 */
export async function addMemory(
  transaction: Db,
  written: NewMemory,
): Promise<{ readonly id: number; readonly known: boolean }> {
  const memory: NewMemory = {
    ...written,
    content: visibleText(written.content).trim(),
    category: visibleText(written.category ?? '').trim() || undefined,
    tags: written.tags?.map((tag) => visibleText(tag).trim()).filter((tag) => tag !== ''),
  };
  if (memory.content === '') throw new PegboardError('PEG_INVALID_ARGUMENTS', 'It contains no visible text.');
  const same = await findSame(transaction, memory.content);
  if (same && memory.supersedes === undefined && saysNoMore(memory, same)) {
    await addSources(transaction, same.id, memory.sources);
    return { id: same.id, known: true };
  }
  const supersedes = memory.supersedes ?? same?.id;
  const before = supersedes === undefined ? undefined : await requireAlive(transaction, supersedes);
  const { category = before?.category ?? defaultCategory, tags = before?.tags ?? [] } = memory;
  const { id } = await transaction
    .insertInto('memory_memories')
    .values({
      content: memory.content,
      category,
      tags: toJson(tags),
      origin: memory.origin,
      created_at: new Date().toISOString(),
      expires_at: memory.expiresAt ?? null,
      archived_at: null,
      superseded_by: null,
      graphed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await indexMemory(transaction, { id, content: memory.content, category, tags });
  await addSources(transaction, id, memory.sources);
  if (supersedes !== undefined) await supersede(transaction, supersedes, id);
  return { id, known: false };
}

/** Updates the full-text index of a memory. */
export async function indexMemory(
  transaction: Db,
  { id, content, category, tags }: Pick<Memory, 'id' | 'content' | 'category' | 'tags'>,
): Promise<void> {
  const labels = [category, ...tags].join(' ');
  await fullTextOf(transaction).setMemory(transaction, { id, content, labels });
}

/** The row stays, with the id of its successor. What was derived from it is deleted. */
async function supersede(transaction: Db, old: number, by: number): Promise<void> {
  await removeDerived(transaction, old);
  await transaction.updateTable('memory_memories').set({ superseded_by: by }).where('id', '=', old).execute();
}

/**
 * Archives a memory and all its earlier versions, and deletes everything that leads to them: index entries, vectors,
 * graph, observations, turns of conversations. The rows stay for `why`, and messages are never changed. False when it
 * doesn't exist or is archived already.
 */
export async function archiveMemory(database: Db, id: number): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const memory = await getMemory(transaction, id);
    if (!memory || memory.archivedAt !== undefined) return false;
    const now = new Date().toISOString();
    for (const each of [id, ...(await versionsBefore(transaction, id))]) {
      await removeDerived(transaction, each);
      await transaction
        .updateTable('memory_memories')
        .set({ archived_at: now })
        .where('id', '=', each)
        .execute();
      const sources = await sourcesOf(transaction, each);
      await retireObservationsOf(transaction, each, sources);
      await forgetTurns(transaction, sources);
    }
    return true;
  });
}

async function removeDerived(transaction: Db, id: number): Promise<void> {
  await fullTextOf(transaction).removeMemory(transaction, id);
  await transaction.deleteFrom('memory_vectors').where('memory_id', '=', id).execute();
  await removeFromGraph(transaction, id);
}

export async function getMemory(database: Db, id: number): Promise<Memory | undefined> {
  const row = await database
    .selectFrom('memory_memories')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toMemory(row);
}

/** Current memories, newest first. With `all` also archived, superseded and expired ones. */
export async function listMemories(
  database: Db,
  {
    limit,
    category,
    all = false,
  }: { readonly limit: number; readonly category?: string; readonly all?: boolean },
): Promise<readonly Memory[]> {
  const rows = await (all ? database.selectFrom('memory_memories') : selectAlive(database))
    .selectAll()
    .$if(category !== undefined, (query) => query.where('category', '=', category!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toMemory);
}

/** The memories with the given ids that are current, in the order of the ids. */
export async function getAlive(database: Db, ids: readonly number[]): Promise<readonly Memory[]> {
  if (ids.length === 0) return [];
  const rows = await selectAlive(database).selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, toMemory(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Neither archived nor superseded nor expired. */
export function selectAlive(database: Db) {
  const now = new Date().toISOString();
  return database
    .selectFrom('memory_memories')
    .where('archived_at', 'is', null)
    .where('superseded_by', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));
}

/** Ids of the messages that it comes from. */
export async function sourcesOf(database: Db, id: number): Promise<readonly number[]> {
  const rows = await database
    .selectFrom('memory_sources')
    .select('message_id')
    .where('memory_id', '=', id)
    .orderBy('message_id')
    .execute();
  return rows.map(({ message_id }) => message_id);
}

/** Ids of all memories that it supersedes, directly or indirectly, latest first. */
export async function versionsBefore(database: Db, id: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive earlier (id) as (
      select id from memory_memories where superseded_by = ${id}
      union
      select memory_memories.id from memory_memories join earlier on memory_memories.superseded_by = earlier.id
    )
    select id from earlier order by id desc`.execute(database);
  return rows.map((row) => row.id);
}

async function addSources(database: Db, memory: number, messages: readonly number[]): Promise<void> {
  if (messages.length === 0) return;
  await database
    .insertInto('memory_sources')
    .values(messages.map((message) => ({ memory_id: memory, message_id: message })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function findSame(database: Db, content: string): Promise<Memory | undefined> {
  const row = await selectAlive(database)
    .selectAll()
    .where(sql<boolean>`${sql.raw(dialectOf(database).caseless('content'))} = ${lowerCase(content)}`)
    .executeTakeFirst();
  return row && toMemory(row);
}

/** Of ASCII letters, as databases compare them. */
const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The stored memory has all labels of the new one and doesn't expire earlier. */
function saysNoMore(memory: NewMemory, stored: Memory): boolean {
  return (
    (memory.category ?? stored.category) === stored.category &&
    (memory.tags ?? []).every((tag) => stored.tags.includes(tag)) &&
    memory.expiresAt === stored.expiresAt
  );
}

async function requireAlive(database: Db, id: number): Promise<Memory> {
  const memory = await getMemory(database, id);
  if (memory && memory.archivedAt === undefined && memory.supersededBy === undefined) return memory;
  const why = !memory
    ? 'There is no memory'
    : memory.archivedAt !== undefined
      ? 'Forgotten is memory'
      : `Memory ${memory.supersededBy} has already taken the place of memory`;
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `${why} ${id}, so it can't be superseded. Look it up with memory_recall.`,
  );
}

/** Rows written by older versions may contain invisible characters. */
export function toMemory(row: Selectable<MemoryTables['memory_memories']>): Memory {
  return {
    id: row.id,
    content: visibleText(row.content),
    category: visibleText(row.category),
    tags: (parseJson(row.tags) as string[]).map(visibleText),
    origin: row.origin,
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.archived_at !== null && { archivedAt: row.archived_at }),
    ...(row.superseded_by !== null && { supersededBy: row.superseded_by }),
  };
}
