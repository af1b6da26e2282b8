import { sql, type Kysely } from 'kysely';
import type { Pool } from 'pg';
import { thisProcess } from '../../../core/processes/owner.ts';

/** The processes that use the database. */
export const tableOfProcesses =
  'create table pegboard.processes (owner text primary key, seen_at timestamptz not null)';

/** Milliseconds between two signs of life. */
const signMs = 2_500;
/** Seconds after which a silent process counts as gone. */
const silenceSeconds = 10;

/**
 * Shows in the database that this process lives, from before this resolves until it is disposed. By the clock of the server:
 * those of hosts differ.
 */
export async function showPresence(pool: Pool): Promise<AsyncDisposable> {
  const show = async (): Promise<void> => {
    await pool.query(
      `insert into pegboard.processes (owner, seen_at) values ($1, now())
      on conflict (owner) do update set seen_at = excluded.seen_at`,
      [thisProcess],
    );
  };
  await show();
  await pool.query(`delete from pegboard.processes where seen_at < now() - interval '1 day'`);
  // A sign that fails is followed by the next one.
  const timer = setInterval(() => void show().catch(() => {}), signMs);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await pool.query('delete from pegboard.processes where owner = $1', [thisProcess]).catch(() => {});
    },
  };
}

/** A query for the owners of work that were seen lately. */
export const livingOwners = `select owner from pegboard.processes where seen_at > now() - interval '${silenceSeconds} seconds'`;

export async function livingProcesses<Tables>(database: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const { rows } = await sql.raw<{ readonly owner: string }>(livingOwners).execute(database);
  return new Set(rows.map(({ owner }) => owner));
}
