import type { Kysely } from 'kysely';
import type { EngineStatus } from '../../api/engine.ts';
import { listHosts } from './hosts.ts';
import { queueStatuses } from './jobs.ts';
import type { EngineTables } from './tables.ts';

/** For a process that is no host itself. */
export async function readStatus(db: unknown): Promise<EngineStatus> {
  const tables = db as Kysely<EngineTables>;
  return { hosts: await listHosts(tables), queues: await queueStatuses(tables, []) };
}
