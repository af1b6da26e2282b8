import type { Generated } from 'kysely';
import type { QueuedJobState } from '../../api/engine.ts';

/** Moments are milliseconds since 1970. */
export interface EngineTables {
  readonly engine_hosts: HostsTable;
  readonly engine_jobs: JobsTable;
}

interface HostsTable {
  readonly id: string;
  /** The process, as in host/core/processes/owner.ts. */
  readonly owner: string;
  readonly seen_at: number;
}

interface JobsTable {
  readonly id: Generated<number>;
  readonly queue: string;
  readonly key: string | null;
  /** JSON. */
  readonly data: string;
  readonly priority: number;
  /** It begins not before. */
  readonly at: number;
  readonly state: QueuedJobState;
  readonly attempt: Generated<number>;
  /** The host that runs it; null: none does. */
  readonly host: string | null;
  /** JSON. */
  readonly result: string | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
  readonly ended_at: number | null;
}
