import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

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

/** Is there a process of this number? */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // EPERM: somebody else's, so it is there.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In Linux's own unit since boot; empty on other systems. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it stands in brackets and may hold anything; the start is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Will nobody finish it? Where the process can't be asked, what began more than `longestMs` ago counts as over. */
export function isAbandoned(owner: string, since: string, longestMs = 24 * 3_600_000): boolean {
  return hasEnded(owner) || Date.now() - Date.parse(since) > longestMs;
}
