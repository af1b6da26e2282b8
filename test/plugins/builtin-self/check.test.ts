import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../../plugins/builtin-self/check.ts';
import { temporaryFolder } from '../../kit/homes/plugin-home.ts';

/** Checks with a program of these lines. */
function run(
  code: string,
  { timeoutMs = 60_000, signal = new AbortController().signal } = {},
): Promise<void> {
  const root = temporaryFolder();
  writeFileSync(join(root, 'check.mjs'), code);
  return check('tests', { root, env: process.env, args: ['check.mjs'], timeoutMs, signal });
}

const summary =
  "console.log(' Test Files  2 passed (2)\\n      Tests  9 passed (9)\\n     Errors  1 error');";
const longDiff = "console.error('-'.repeat(9_000));";

test('a check that ends with 0 says nothing', async () => {
  await run('');
});

test('tests that fail are named, however much is printed after their names', async () => {
  const fails = "console.error(' FAIL  test/a.test.ts > adds\\n FAIL  test/b.test.ts > takes away');";
  await expect(run(`${fails}${longDiff}process.exitCode = 1;`)).rejects.toMatchObject({
    code: 'PEG_COMMAND_FAILED',
    message: expect.stringMatching(
      /^Not deployed: the tests are wrong: test\/a\.test\.ts > adds; test\/b\.test\.ts > takes away\.\n/,
    ) as unknown,
  });
});

test.for<readonly [string, string, object, RegExp]>([
  [
    'its own time limit',
    'setInterval(() => {}, 1_000)',
    { timeoutMs: 300 },
    /did not end within 0\.3 s and was stopped/,
  ],
  [
    'a signal',
    "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1_000)",
    {},
    /was ended by SIGKILL/,
  ],
  [
    'an error outside of tests',
    `${summary} process.exitCode = 1;`,
    {},
    /exit code 1 although no test failed/,
  ],
  ['no word at all', 'process.exitCode = 3;', {}, /ended with exit code 3 and no output/],
])('where it ended by %s the tests are not reported as wrong', async ([, code, options, says]) => {
  const failure = run(code, options);
  await expect(failure).rejects.toMatchObject({ code: 'PEG_TOOL_FAILED' });
  await expect(failure).rejects.toThrow(says);
  await expect(failure).rejects.not.toThrow('are wrong');
});

test('nor where its call was stopped, as by the time limit of its turn', async () => {
  const stop = new AbortController();
  const failure = run("console.log('half way'); setInterval(() => {}, 1_000)", { signal: stop.signal });
  setTimeout(() => stop.abort(), 500);
  await expect(failure).rejects.toThrow(/was stopped with the call.*not known whether they are right/);
});
