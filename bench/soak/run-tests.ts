import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SoakTally } from './run.ts';

const root = join(import.meta.dirname, '../..');

/** Runs all tests, in which what may go wrong by chance is then repeated more often than in a run of test:all. */
export async function runTests({ failures }: SoakTally): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run'], {
    cwd: root,
    env: { ...process.env, PEGBOARD_TESTS: 'soak' },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  if (code !== 0) failures.push('Tests failed: see above.');
}
