import { PegboardError } from '../../core/errors.ts';
import { pegboard } from '../../core/own-command.ts';
import { isAbandoned, thisProcess } from '../../core/processes/owner.ts';
import type { Host } from '../../host.ts';
import type { Database } from '../../store/database/database.ts';
import { databaseFileOf } from '../../store/database/file.ts';
import { isInUse } from '../../store/database/in-use.ts';
import { otherHolder } from '../../store/files/home-lock.ts';
import { isOnPostgres } from '../home-database.ts';
import { withQueues } from './contents.ts';

/** Throws PEG_BUSY when a process holds this home. */
export function refuseHeldHome(lockFile: string): void {
  const holder = otherHolder(lockFile);
  if (holder !== undefined) throw busy(`This home is in use by ${holder}. Stop that first.`);
}

/** Throws PEG_BUSY while another process has the file open, or another host lives on the server. */
export async function refuseUsedDatabase(home: string, database: Database): Promise<void> {
  if (!isOnPostgres(database)) {
    if (isInUse(databaseFileOf(home)))
      throw busy(
        `Another process has ${database.name} open, such as \`${pegboard} serve --stdio\` of an MCP client. Stop every Pegboard of this home.`,
      );
    return;
  }
  const { readStatus } = await import('../../engine/pgboss/status.ts');
  const status = await withQueues(database, readStatus);
  const hosts = status.hosts.filter(({ isLive, isThisOne }) => isLive && !isThisOne);
  const names = hosts.map(({ id }) => id).join(', ');
  if (hosts.length > 0)
    throw busy(
      `${database.name} is in use by ${hosts.length === 1 ? 'the host' : 'the hosts'} ${names}. Stop every host of this state; one that was killed counts as gone after 10 s.`,
    );
  const other = await otherProcess(database);
  if (other !== undefined)
    throw busy(
      `${database.name} is in use by the process ${other}, such as a chat in a terminal. Stop every Pegboard of this state; one that was killed on another machine counts as gone after 10 s.`,
    );
}

/** Both databases of a move. Throws PEG_BUSY for one that is in use, and for a target that a newer version has changed. */
export async function refuseUsedDatabases(
  home: string,
  { source, target }: { readonly source: Database; readonly target: Database },
  { plugins }: Host,
): Promise<void> {
  await refuseUsedDatabase(home, source);
  for (const { manifest, tables } of plugins.instances)
    target.checkMigrations(manifest.id, tables()?.migrations ?? []);
  if (!isOnPostgres(target)) await refuseUsedDatabase(home, target);
}

/** One that is no host, as "MACHINE/PID". */
async function otherProcess(database: Database): Promise<string | undefined> {
  const open = await database.existing();
  if (!open) return undefined;
  const { livingProcesses } = await import('../../store/database/postgres/presence.ts');
  const now = new Date().toISOString();
  const other = [...(await livingProcesses(open))].find(
    (owner) => owner !== thisProcess && !isAbandoned(owner, now),
  );
  return other?.split('/').slice(0, 2).join('/');
}

const busy = (what: string): PegboardError => new PegboardError('PEG_BUSY', `${what} Nothing was changed.`);
