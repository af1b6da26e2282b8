import type { Kysely } from 'kysely';
import { isAbandoned, thisProcess } from '../../core/processes/owner.ts';
import { dialectOf } from './dialect.ts';

/** Something that a process works on. */
interface OwnedWork {
  /** As in host/core/processes/owner.ts. */
  readonly owner: string;
  /** ISO 8601: when it was begun, or last worked on. */
  readonly since: string;
}

/** Tells of each owner whether nobody will finish its work. */
export type FindAbandoned = <Tables>(
  database: Kysely<Tables>,
  work: readonly OwnedWork[],
  maxMs?: number,
) => Promise<(work: OwnedWork) => boolean>;

/**
 * Processes of one machine are looked up there; where hosts on several machines share a database, each shows in it that it
 * lives. `maxMs`: for processes that can't be looked up, how long their work may last.
 */
export const findAbandoned: FindAbandoned = async (database, work, maxMs) => {
  if (work.length === 0) return () => false;
  if (dialectOf(database).kind === 'sqlite') return ({ owner, since }) => isAbandoned(owner, since, maxMs);
  const { livingProcesses } = await import('./postgres/presence.ts');
  const living = await livingProcesses(database);
  const now = new Date().toISOString();
  return ({ owner }) => {
    const process = owner.split('/').slice(0, 3).join('/');
    // One of this machine that died still counts as living for a few seconds.
    return process !== thisProcess && (!living.has(process) || isAbandoned(process, now));
  };
};
