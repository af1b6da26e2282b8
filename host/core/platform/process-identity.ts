import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { thisPlatform } from './this-platform.ts';

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

/** Runs a program and returns what it prints, or nothing when it fails. */
type Ask = (argv: readonly [string, ...string[]]) => string;

/**
 * When the process began, to tell it from a later one with the same id: in Linux's unit since boot, on macOS in seconds
 * since 1970. Empty on Windows, where asking would take half a second, and for a process that is gone.
 */
export function startOf(pid: number, platform: NodeJS.Platform = thisPlatform, ask: Ask = answerOf): string {
  if (platform === 'linux') return statOf(pid).split(' ')[19] ?? '';
  if (platform !== 'darwin') return '';
  if (pid === process.pid && ownStart !== undefined) return ownStart;
  const start = Date.parse(`${ask(['/bin/ps', '-o', 'lstart=', '-p', String(pid)]).trim()} UTC`);
  const seconds = Number.isNaN(start) ? '' : String(start / 1000);
  if (pid === process.pid) ownStart = seconds;
  return seconds;
}

let ownStart: string | undefined;

/** The fields of Linux's stat after the name, which is in parentheses and may contain anything. The first is the state. */
function statOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2);
  } catch {
    return '';
  }
}

/** In one language and time zone, so that every process gets the same answer. */
const answerOf: Ask = ([program, ...args]) =>
  spawnSync(program, args, { encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' } }).stdout ?? '';
