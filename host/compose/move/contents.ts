import type { Pool } from 'pg';
import type { User } from '../../core/platform/places.ts';
import { plural } from '../../core/text/plural.ts';
import type { Database } from '../../store/database/database.ts';
import type { PostgresDatabase } from '../../store/database/postgres/database.ts';
import { ownTables, type CopyRules } from '../../store/move/copy-tables.ts';
import type { Side, SourceSide, TargetSide } from '../../store/move/side.ts';
import type { Host } from '../../host.ts';
import type { PluginInstance } from '../../plugins/instance.ts';
import { referencesIn } from '../../core/documents/interpolate.ts';
import { PegboardError } from '../../core/errors.ts';
import { databaseFileOf } from '../../store/database/file.ts';
import { documentsTable, isSealedDocument } from '../../store/move/shared-tables.ts';
import type { SecretStore } from '../../store/secrets/secrets.ts';
import { isOnPostgres } from '../home-database.ts';
import { openOwnSecrets } from '../home-secrets.ts';

export interface CountedTable {
  readonly name: string;
  readonly rows: number;
}

/** The host's own column with ids of jobs. */
const jobsOfHost = ['channel_events.job'];

export function rulesOf(instances: readonly PluginInstance[]): CopyRules {
  return {
    jobs: new Set([...jobsOfHost, ...instances.flatMap(({ moving }) => moving.jobs ?? [])]),
    indexes: new Set(instances.flatMap(({ moving }) => moving.indexes ?? [])),
    plugins: new Set(instances.map(({ manifest }) => manifest.id)),
  };
}

/** The tables that have rows. */
export async function countTables(side: Side, rules: CopyRules): Promise<readonly CountedTable[]> {
  const counted: CountedTable[] = [];
  for (const { name } of ownTables(await side.tables(), rules)) {
    const rows = await side.countOf(name);
    if (rows > 0) counted.push({ name, rows });
  }
  return counted;
}

/** What both sides need to know of the home. */
export interface MovedHome {
  readonly home: string;
  readonly user: User;
  /** Seals what hosts share. */
  readonly passphrase: string | undefined;
  /** The new `state`, as it will be written. */
  readonly written: string | undefined;
}

/** `url`: undefined for the file of the home. */
export async function openSide(
  role: 'source' | 'target',
  url: string | undefined,
  moved: MovedHome,
): Promise<SourceSide & TargetSide> {
  if (url !== undefined) {
    const [{ openPostgresSide }, { withSharedTables }] = await Promise.all([
      import('../../store/move/postgres-side.ts'),
      import('../../store/move/shared-tables.ts'),
    ]);
    return withSharedTables(await openPostgresSide(url), moved.passphrase);
  }
  const [{ openSqliteSide }, { filesOfHome, incomingFiles, withHomeFiles }] = await Promise.all([
    import('../../store/move/sqlite-side.ts'),
    import('../../store/move/home-files.ts'),
  ]);
  const { home } = moved;
  const files =
    role === 'target'
      ? incomingFiles(moved, moved.passphrase)
      : filesOfHome(moved, ownSecrets(moved), sharedIn(moved));
  return withHomeFiles(openSqliteSide(databaseFileOf(home)), files);
}

/** Of this machine. */
export const ownSecrets = ({ home, passphrase }: MovedHome): SecretStore =>
  openOwnSecrets(home, { ...(passphrase !== undefined && { passphrase }), onValue: () => {} });

/** Whether other hosts get a secret: not those of the address, nor what comes from the environment of this machine. */
export function sharedIn(moved: MovedHome): (name: string) => boolean {
  const inAddress = new Set(referencesIn(moved.written ?? ''));
  const origins = new Map(
    ownSecrets(moved)
      .list()
      .map(({ name, origin }) => [name, origin]),
  );
  return (name) => !inAddress.has(name) && origins.get(name) !== 'environment';
}

/** Throws PEG_CONFIG when secrets or logins can't be sealed, or can't be opened. */
export async function refuseUnsealed(side: Side, to: string, moved: MovedHome): Promise<void> {
  refuseUnreadableSecrets(moved);
  const names: string[] = [];
  const there = (await side.tables()).some(({ name }) => name === documentsTable);
  if (there)
    for await (const rows of side.read(documentsTable, ['content', 'name']))
      names.push(...rows.map(([, name]) => name as string).filter(isSealedDocument));
  if (names.length === 0 || moved.passphrase !== undefined) return;
  throw new PegboardError(
    'PEG_CONFIG',
    `Secrets and logins are shared by all hosts of the state in ${to}, where they are sealed with a passphrase. Set the variable PEGBOARD_PASSPHRASE, to the same text on every host, and try again. Nothing was changed.`,
  );
}

/** Throws PEG_CONFIG. */
export function refuseUnreadableSecrets(moved: MovedHome): void {
  const [problem] = ownSecrets(moved).diagnostics;
  if (problem) throw new PegboardError('PEG_CONFIG', `${problem.message} Nothing was changed.`);
}

interface OpenJob {
  readonly queue: string;
  readonly id: string;
}

/** Jobs that wait or run, by the ids that tables know them by. */
export async function openJobsIn(database: Database): Promise<readonly OpenJob[]> {
  if (isOnPostgres(database)) {
    const { openJobs } = await import('../../engine/pgboss/status.ts');
    return await withQueues(database, openJobs);
  }
  const { openJobs } = await import('../../engine/sqlite/jobs.ts');
  return await openJobs((await database.open()) as never);
}

/** Without making or migrating the tables of the database, as opening it would. */
export async function withQueues<Result>(
  { url, name }: PostgresDatabase,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const [{ openPool }, { explainPostgresError }] = await Promise.all([
    import('../../engine/pgboss/open-boss.ts'),
    import('../../store/database/postgres/errors.ts'),
  ]);
  const pool = await openPool(url, () => {});
  try {
    return await work(pool);
  } catch (cause) {
    throw explainPostgresError(name, cause);
  } finally {
    await pool.end();
  }
}

/**
 * Queues are not copied. A job that a row knows is added again at the next start; throws PEG_BUSY for any other, which
 * would be lost.
 */
export async function refuseLostJobs(database: Database, side: Side, { jobs }: CopyRules): Promise<void> {
  const open = await openJobsIn(database);
  if (open.length === 0) return;
  const known = new Set<unknown>();
  const there = await side.tables();
  for (const [table, column] of [...jobs].map((each) => each.split('.') as [string, string])) {
    if (!there.some(({ name, columns }) => name === table && columns.includes(column))) continue;
    for await (const rows of side.read(table, [column])) for (const [id] of rows) known.add(id);
  }
  const lost = open.filter(({ id }) => !known.has(id));
  if (lost.length === 0) return;
  const queues = [...new Set(lost.map(({ queue }) => queue))].join(', ');
  throw new PegboardError(
    'PEG_BUSY',
    `${plural(lost.length, 'job')} of ${queues} would be lost, because nothing but the queue knows of them. Start a host until they have ended, stop it, and try again. Nothing was changed.`,
  );
}

/** As the start of a host with all of its plugins does. */
export async function migrate(database: Database, { plugins }: Host): Promise<void> {
  await database.open();
  for (const { tables } of plugins.instances) {
    const own = tables();
    if (own) await database.openFor(own.owner, own.migrations);
  }
}
