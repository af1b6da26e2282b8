import { readFileSync } from 'node:fs';

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

/** When it began, in Linux's own unit since boot; empty on other systems. */
export function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it stands in brackets and may hold anything; the start is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
