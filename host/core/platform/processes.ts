import { spawnSync } from 'node:child_process';
import { thisPlatform } from './this-platform.ts';

/**
 * Whether a child process gets a process group of its own, so that a signal reaches all that it starts. Windows has no
 * groups; there, a detached process would open a console window.
 */
export const leadsGroup = (platform: NodeJS.Platform = thisPlatform): boolean => platform !== 'win32';

export type EndProgram = (argv: readonly [string, ...string[]]) => void;

/**
 * Sends a signal to a process and all that it started: to its group, or on Windows through taskkill, which ends them at
 * once, whatever the signal. What is gone already is no error.
 */
export function signalTree(
  leader: number,
  signal: NodeJS.Signals,
  platform: NodeJS.Platform = thisPlatform,
  run: EndProgram = runQuietly,
): void {
  if (!leadsGroup(platform)) return run(['taskkill', '/pid', String(leader), '/t', '/f']);
  try {
    process.kill(-leader, signal);
  } catch {
    // Gone already, or another user's (sudo).
  }
}

/** Whether a process that leads a group, or any other of its group, still runs. */
export function isTreeAlive(leader: number, platform: NodeJS.Platform = thisPlatform): boolean {
  try {
    return process.kill(leadsGroup(platform) ? -leader : leader, 0);
  } catch {
    return false;
  }
}

/** Maximum bytes of arguments in one command line. Windows allows 32 KB in all. */
export const maxCommandBytes = (platform: NodeJS.Platform = thisPlatform): number =>
  platform === 'win32' ? 24_000 : 500_000;

/** Calls the listener when this process ends, however it does but by SIGKILL. */
export const atProcessExit = (listener: () => void): void => void process.on('exit', listener);

function runQuietly([program, ...args]: readonly [string, ...string[]]): void {
  spawnSync(program, args, { stdio: 'ignore', windowsHide: true });
}
