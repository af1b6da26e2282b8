import type { ClientBase } from 'pg';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import { missingFrom, newestOf, versionProblem, type Migrations } from '../tables/migrations.ts';
import { explainPostgresError } from './errors.ts';
import { lockOfWriters } from './pool.ts';
import { tableOfProcesses } from './presence.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** How long a statement of a migration may take, and wait for the hosts that write. Milliseconds. */
const timeoutMs = 600_000;

/** Brings the tables up to date, all or nothing. Several hosts may do this at once. Throws PEG_DATABASE. */
export async function migrate(client: ClientBase, name: string, migrations: Migrations): Promise<void> {
  const newest = newestOf(migrations);
  let version: number | undefined;
  try {
    version = await versionOf(client);
    if (version === newest) return;
    checkVersion(name, version, migrations);
    await inTransaction(client, async () => {
      // Another host may have been faster.
      const now = await versionOf(client);
      checkVersion(name, now, migrations);
      if (now === undefined) await createSchema(client);
      for (const script of missingFrom(now ?? 0, migrations)) await run(client, script);
      await client.query('delete from pegboard.schema_version');
      await client.query('insert into pegboard.schema_version (version) values ($1)', [newest]);
    });
  } catch (cause) {
    const explained = explainPostgresError(name, cause);
    if (explained instanceof PegboardError) throw explained;
    throw new PegboardError(
      'PEG_DATABASE',
      `The database ${name} could not be migrated from version ${version ?? 0} to ${newest}: ${asSentence(messageOf(cause))} Nothing was changed.`,
      { cause },
    );
  }
}

/** Nobody writes meanwhile. Anything thrown undoes all of it. */
export async function inTransaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${timeoutMs}; set local statement_timeout = ${timeoutMs}`);
    await run(client, lockOfWriters);
    await work();
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => {});
    throw cause;
  }
}

/** Waits for long statements. */
export const run = async (client: ClientBase, text: string): Promise<void> => {
  await client.query({ text, query_timeout: timeoutMs } as { readonly text: string });
};

/** Undefined when nothing has been created. */
async function versionOf(client: ClientBase): Promise<number | undefined> {
  if (!(await hasTable(client, 'schema_version'))) return undefined;
  const { rows } = await client.query<{ version: number }>('select version from pegboard.schema_version');
  return rows[0]?.version;
}

/** By a query: `to_regclass` may still not know what another host has just created. */
export async function hasTable(client: ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_tables where schemaname = 'pegboard' and tablename = $1`,
    [table],
  );
  return rows.length > 0;
}

async function createSchema(client: ClientBase): Promise<void> {
  // Creating a schema needs a permission, also when it is there.
  const { rows } = await client.query(`select 1 from pg_namespace where nspname = 'pegboard'`);
  if (rows.length === 0) await client.query('create schema pegboard');
  await client.query('create table pegboard.schema_version (version integer not null)');
  await client.query(tableOfProcesses);
}

function checkVersion(name: string, version: number | undefined, known: Migrations): void {
  const problem = versionProblem(name, version ?? 0, known);
  if (problem !== undefined) throw new PegboardError('PEG_DATABASE', problem);
}
