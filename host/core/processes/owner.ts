import { hostname } from 'node:os';
import { isRunning, startOf } from './process-identity.ts';

/**
 * Who works on something just now: host name, process id and, where the system tells, the moment the process began,
 * so that another process which got the same id later isn't taken for it.
 */
export const thisProcess = `${hostname()}/${process.pid}/${startOf(process.pid)}`;

/**
 * Does the process still run? Of another machine's, or another container's, nothing is known; where the system doesn't
 * tell when a process began, neither whether one that runs is still the same.
 */
function stateOf(owner: string): 'running' | 'ended' | 'unknown' {
  if (owner === thisProcess) return 'running';
  const [host, id, start] = owner.split('/') as [string, string, string];
  if (host !== hostname()) return 'unknown';
  const pid = Number(id);
  if (!isRunning(pid) || startOf(pid) !== start) return 'ended';
  return start === '' ? 'unknown' : 'running';
}

/**
 * Will nobody finish it? Only where the process can't be asked, what began more than `maxMs` ago counts as over:
 * the clock may have been set.
 */
export function isAbandoned(owner: string, since: string, maxMs = 24 * 3_600_000): boolean {
  const state = stateOf(owner);
  return state === 'ended' || (state === 'unknown' && Date.now() - Date.parse(since) > maxMs);
}
