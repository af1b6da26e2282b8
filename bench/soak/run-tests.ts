import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { SoakTally } from './run.ts';

const root = join(import.meta.dirname, '../..');

/** Runs test files in which what may go wrong by chance is then repeated more often than in a run of all tests. */
export async function runTests(
  { counts, failures }: SoakTally,
  what: string,
  files: readonly string[],
): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], {
    cwd: root,
    env: { ...process.env, PEGBOARD_SOAK: '1' },
    stdio: 'inherit',
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once('close', resolve);
  const code = await promise;
  counts.set(`files of tests of ${what}`, files.length);
  if (code !== 0) failures.push(`Tests of ${what} failed: see above.`);
}
