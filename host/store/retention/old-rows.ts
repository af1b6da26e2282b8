import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import { forgetOldJobs } from '../jobs.ts';
import type { Tables } from '../database/schema.ts';

/** Maximum rows of one statement: a few milliseconds, after which other work gets its turn. */
const batchSize = 200;
/** Maximum number of vectors; the newest are kept: 200 MB of those with 1,024 numbers. */
const maxVectors = 50_000;
/**
 * Results and arguments up to `shortEnough` bytes are kept; longer results are cut to `beginning` characters, which
 * take fewer bytes in any script, so that nothing is shortened twice.
 */
const shortEnough = 2_500;
const beginning = 500;

export interface RowLimits {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Days. */
  readonly usage: number;
  readonly toolResults: number;
  readonly maxVectors?: number;
  readonly signal: AbortSignal;
}

/** Removes old rows from the database, a few at a time, except messages. Returns how many rows changed. */
export async function sweepRows(database: Kysely<Tables>, limits: RowLimits): Promise<number> {
  const before = (days: number): string => new Date(limits.now - days * 86_400_000).toISOString();
  await forgetOldJobs(database, limits.now);
  const usage = await forgetUsage(database, before(limits.usage).slice(0, 10), limits.signal);
  const vectors = await forgetVectors(database, limits.maxVectors ?? maxVectors, limits.signal);
  const results = await shortenResults(database, before(limits.toolResults), limits.signal);
  return usage + vectors + results + (await forgetArtifacts(database, limits.now));
}

/** Elsewhere, they are files. */
async function forgetArtifacts(database: Kysely<Tables>, now: number): Promise<number> {
  if (dialectOf(database).kind !== 'postgres') return 0;
  const { deleteOldestRows } = await import('../files/shared-artifacts.ts');
  return await deleteOldestRows(database, 0, { now });
}

async function forgetUsage(database: Kysely<Tables>, day: string, signal: AbortSignal): Promise<number> {
  for (let forgotten = 0; ; await turnOfLoop()) {
    signal.throwIfAborted();
    const { numAffectedRows = 0n } = await sql`
      delete from usage where id in (select id from usage where day < ${day} limit ${batchSize})`.execute(
      database,
    );
    if (numAffectedRows === 0n) return forgotten;
    forgotten += Number(numAffectedRows);
  }
}

/** Texts that are still needed are embedded again. */
async function forgetVectors(database: Kysely<Tables>, kept: number, signal: AbortSignal): Promise<number> {
  const { count } = await database
    .selectFrom('embeddings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const tooMany = Math.max(0, count - kept);
  for (let left = tooMany; left > 0; left -= batchSize) {
    signal.throwIfAborted();
    await sql`
      delete from embeddings where rowid in
        (select rowid from embeddings order by rowid limit ${Math.min(batchSize, left)})`.execute(database);
    await turnOfLoop();
  }
  return tooMany;
}

/**
 * Shortens results and removes long arguments of calls before some time. The caller, tool, time and outcome are kept.
 * `octet_length` finds long values without reading them.
 */
async function shortenResults(
  database: Kysely<Tables>,
  before: string,
  signal: AbortSignal,
): Promise<number> {
  const oldest = await lastMessageBefore(database, before);
  let shortened = 0;
  for (let last = 0; ; await turnOfLoop()) {
    signal.throwIfAborted();
    const { rows } = await sql<{ readonly id: number; readonly message: number; readonly long: number }>`
      select id, message_id as message,
        octet_length(result) > ${shortEnough} or octet_length(args) > ${shortEnough} as "long"
      from tool_calls where id > ${last} order by id limit ${batchSize}`.execute(database);
    const old = rows.filter(({ message }) => message <= oldest);
    const long = old.filter((row) => row.long === 1).map(({ id }) => id);
    if (long.length > 0) await shorten(database, long);
    shortened += long.length;
    // Calls are in the order of their messages.
    if (old.length < batchSize) return shortened;
    last = rows.at(-1)!.id;
  }
}

async function shorten(database: Kysely<Tables>, calls: readonly number[]): Promise<void> {
  await sql`
    update tool_calls set
      result = case when octet_length(result) > ${shortEnough}
        then substr(result, 1, ${beginning}) || ${'\n[The rest was deleted.]'} else result end,
      args = case when octet_length(args) > ${shortEnough} then '{}' else args end
    where id in (${sql.join(calls)})`.execute(database);
}

/** Binary search: messages are ordered by time, and reading their times is slow after long texts. */
async function lastMessageBefore(database: Kysely<Tables>, before: string): Promise<number> {
  const query = database.selectFrom('messages').select(['id', 'created_at']);
  const newest = await query.orderBy('id', 'desc').limit(1).executeTakeFirst();
  let [low, high] = [0, newest?.id ?? 0];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const next = await query.where('id', '<=', middle).orderBy('id', 'desc').limit(1).executeTakeFirst();
    if (!next || next.created_at < before) low = middle;
    else high = next.id - 1;
  }
  return low;
}
