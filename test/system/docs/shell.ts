import { spawn } from 'node:child_process';
import type { Clone } from '../../kit/homes/clone.ts';

export interface Ended {
  /** Null when it was stopped. */
  readonly code: number | null;
  /** Standard output and error as they came. */
  readonly output: string;
}

/** Milliseconds. */
const limit = 60_000;

/** Runs the commands like a bash script that stops at the first failure, in the clone, without a terminal. */
export async function runShell(script: string, { folder, environment }: Clone): Promise<Ended> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  const timer = setTimeout(() => endGroup(child.pid!), limit);
  const code = await promise;
  clearTimeout(timer);
  return { code, output: Buffer.concat(chunks).toString() };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
