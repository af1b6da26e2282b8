import { hostname } from 'node:os';
import { isRunning, startOf } from './process-identity.ts';

/**
 * Who works on something just now: host name, process id and, where the system tells, the moment the process began,
 * so that another process which got the same id later isn't taken for it.
 */
export const thisProcess = `${hostname()}/${process.pid}/${startOf(process.pid)}`;

/** Has the process certainly ended? Of another machine's, or another container's, nothing is known. */
function hasEnded(owner: string): boolean {
  if (owner === thisProcess) return false;
  const [host, id, start] = owner.split('/') as [string, string, string];
  if (host !== hostname()) return false;
  const pid = Number(id);
  return !isRunning(pid) || startOf(pid) !== start;
}

/** Will nobody finish it? Where the process can't be asked, what began more than `longestMs` ago counts as over. */
export function isAbandoned(owner: string, since: string, longestMs = 24 * 3_600_000): boolean {
  return hasEnded(owner) || Date.now() - Date.parse(since) > longestMs;
}
