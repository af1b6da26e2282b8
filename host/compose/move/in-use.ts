import type { Logger } from '../../api/log.ts';
import { PegboardError } from '../../core/errors.ts';
import { pegboard } from '../../core/own-command.ts';
import type { Database } from '../../store/database/database.ts';
import { databaseFileOf } from '../../store/database/file.ts';
import { isInUse } from '../../store/database/in-use.ts';
import { otherHolder } from '../../store/files/home-lock.ts';
import { createLazyEngine } from '../lazy-engine.ts';
import { isOnPostgres, withQueues } from './contents.ts';

/** Throws PEG_BUSY when a process holds this home. */
export function refuseHeldHome(lockFile: string): void {
  const holder = otherHolder(lockFile);
  if (holder !== undefined) throw busy(`This home is in use by ${holder}. Stop that first.`);
}

/** Throws PEG_BUSY while another process has the file open, or another host lives on the server. */
export async function refuseUsedDatabase(home: string, database: Database, log: Logger): Promise<void> {
  if (!isOnPostgres(database)) {
    if (isInUse(databaseFileOf(home)))
      throw busy(
        `Another process has ${database.name} open, such as \`${pegboard} serve --stdio\` of an MCP client. Stop every Pegboard of this home.`,
      );
    return;
  }
  // Looking for hosts would create the queues.
  const { hasQueues } = await import('../../engine/pgboss/status.ts');
  if (!(await withQueues(database, hasQueues))) return;
  await using lazy = createLazyEngine(database, log);
  const hosts = (await (await lazy.open()).hosts()).filter(({ isLive, isThisOne }) => isLive && !isThisOne);
  if (hosts.length === 0) return;
  const names = hosts.map(({ id }) => id).join(', ');
  throw busy(
    `${database.name} is in use by ${hosts.length === 1 ? 'the host' : 'the hosts'} ${names}. Stop every host of this state; one that was killed counts as gone after 10 s.`,
  );
}

const busy = (what: string): PegboardError => new PegboardError('PEG_BUSY', `${what} Nothing was changed.`);
