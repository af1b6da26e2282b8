import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { SoakTally } from './run.ts';

const root = join(import.meta.dirname, '../..');
/** In these, what may go wrong by chance is repeated more often than in a run of all tests. */
const tests = [
  'page/screens',
  'page/races',
  'page/restart',
  'page/hostile-texts',
  'page/hostile-chats',
  'page/real-schemas',
  'page/tabs',
  'bridge-tabs',
].map((name) => `test/host/web/${name}.test.ts`);

/**
 * Runs the tests of the page in the browsers: each screen in both, answers at the same time, kills of its host, and all
 * hostile texts.
 */
export async function soakPage({ counts, failures }: SoakTally): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tests], {
    cwd: root,
    env: { ...process.env, PEGBOARD_SOAK: '1' },
    stdio: 'inherit',
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once('close', resolve);
  const code = await promise;
  counts.set('files of tests of the page in browsers', tests.length);
  if (code !== 0) failures.push('Tests of the page in browsers failed: see above.');
}
