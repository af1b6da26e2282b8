import type { ClientBase } from 'pg';
import { nameOfPostgres } from '../database/postgres/address.ts';
import { explainPostgresError, stateWasMoved } from '../database/postgres/errors.ts';

/** With it, its triggers go. */
const refusal = 'pegboard.refuse_moved_state';

/**
 * Lets nobody write to a state that was moved elsewhere, so that a host that still names it, or that was frozen meanwhile,
 * doesn't go on there. What is in it can be read. `to`: the name of the database that has it now. May be repeated. Throws
 * PEG_DATABASE.
 */
export async function closeState(url: string, to: string): Promise<void> {
  await withClient(url, async (client) => {
    const text = client.escapeLiteral(`its state was moved to ${to}`);
    await client.query(`
      create or replace function ${refusal}() returns trigger language plpgsql as $body$
      begin
        raise exception using errcode = '${stateWasMoved}', message = ${text};
      end $body$`);
    const { rows } = await client.query<{ table: string }>(`
      select format('%I.%I', space.nspname, class.relname) as table
      from pg_class class join pg_namespace space on space.oid = class.relnamespace
      where space.nspname in ('pegboard', 'pegboard_jobs') and class.relkind in ('r', 'p')`);
    for (const { table } of rows)
      await client.query(`
        create or replace trigger refuse_moved_state before insert or update or delete or truncate on ${table}
        for each statement execute function ${refusal}()`);
  });
}

/** Returns whether it was closed. Throws PEG_DATABASE. */
export async function reopenState(url: string): Promise<boolean> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query(`
      select 1 from pg_proc proc join pg_namespace space on space.oid = proc.pronamespace
      where format('%I.%I', space.nspname, proc.proname) = '${refusal}'`);
    if (rows.length === 0) return false;
    await client.query(`drop function ${refusal} cascade`);
    return true;
  });
}

/** In one transaction. */
async function withClient<Result>(
  url: string,
  work: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin; set local lock_timeout = 10000');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (cause) {
    throw explainPostgresError(nameOfPostgres(url), cause);
  } finally {
    await client.end().catch(() => {});
  }
}
