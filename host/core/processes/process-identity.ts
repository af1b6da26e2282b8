import { readFileSync } from 'node:fs';

/** Whether a process with this id exists. A zombie counts as ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^[ZX]/.test(statOf(pid));
  } catch (cause) {
    // EPERM: it exists but belongs to another user.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Its start time in Linux's unit since boot. Empty on other systems. */
export const startOf = (pid: number): string => statOf(pid).split(' ')[19] ?? '';

/** The fields of Linux's stat after the name, which is in parentheses and may contain anything. The first is the state. */
function statOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2);
  } catch {
    return '';
  }
}
