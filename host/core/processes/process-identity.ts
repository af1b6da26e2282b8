import { readFileSync } from 'node:fs';

/** Is there a process of this number that hasn't ended? One that nobody has waited for keeps its number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^[ZX]/.test(statOf(pid));
  } catch (cause) {
    // EPERM: somebody else's, so it is there.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When it began, in Linux's own unit since boot; empty on other systems. */
export const startOf = (pid: number): string => statOf(pid).split(' ')[19] ?? '';

/** What Linux says of it after its name, which stands in brackets and may hold anything: first its state. */
function statOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2);
  } catch {
    return '';
  }
}
