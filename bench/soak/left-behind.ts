import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../kit/process.ts';

/** Command lines of the processes with this working directory, which includes everything that a home's host starts. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && worksIn(name, folder))
    .map((pid) => commandLine(Number(pid)));
}

/** Waits until only expected processes are left, and returns the others after 5 seconds. */
export async function leftBehind(folder: string, expected: (line: string) => boolean): Promise<string[]> {
  const late = performance.now() + 5000;
  for (;;) {
    const left = processesIn(folder).filter((line) => !expected(line));
    if (left.length === 0 || performance.now() > late) return left;
    await sleep(50);
  }
}

function worksIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false;
  }
}
