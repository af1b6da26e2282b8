import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isRunning, startOf } from '../platform/process-identity.ts';

/** Its host name. */
export const thisMachine = hostname();

/**
 * Identifies the process that works on something: host name, process id and, where available, its start time, so that a
 * later process with the same id is not confused with it.
 */
export const thisProcess = `${thisMachine}/${process.pid}/${startOf(process.pid)}`;

/**
 * Identifies one attempt of this process at some work, so that an attempt that lost the work to another one can't be
 * confused with it. Counts as abandoned when its process does.
 */
export const newAttempt = (): string => `${thisProcess}/${randomUUID()}`;

/**
 * Whether the process still runs. Unknown for processes of other machines and containers. Without start times, it is
 * also unknown whether a running process is still the same.
 */
function stateOf(owner: string): 'running' | 'ended' | 'unknown' {
  if (owner === thisProcess || owner.startsWith(`${thisProcess}/`)) return 'running';
  const [host, id, start] = owner.split('/') as [string, string, string];
  if (host !== thisMachine) return 'unknown';
  const pid = Number(id);
  if (!isRunning(pid) || startOf(pid) !== start) return 'ended';
  return start === '' ? 'unknown' : 'running';
}

/**
 * Whether nobody will finish the work. If the process can't be checked, work that began more than `maxMs` ago counts as
 * abandoned, since the clock may have been set.
 */
export function isAbandoned(owner: string, since: string, maxMs = 24 * 3_600_000): boolean {
  const state = stateOf(owner);
  return state === 'ended' || (state === 'unknown' && Date.now() - Date.parse(since) > maxMs);
}
