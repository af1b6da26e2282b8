import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnvironment } from '../../../../host/core/processes/environment.ts';
import { runProcess, type ProcessOptions } from '../../../../host/core/processes/process.ts';
import { standardLimits } from '../../../../host/core/processes/tree-limits.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegboard-limits-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (argv: readonly string[], limits: ProcessOptions['limits'] = {}) =>
  runProcess({ argv, cwd: folder, environment: childEnvironment(process.env), limits, timeoutMs: 20_000 });
const bash = (script: string, limits: ProcessOptions['limits']) => run(['bash', '-c', script], limits);

/** Forks itself twice, for six generations: 127 processes, none of which ends. */
async function bomb(name: string, fork: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(
    path,
    `#!/bin/sh\n[ "$1" -gt 5 ] && exec sleep 1000\n${fork} "$0" $(($1 + 1)) & ${fork} "$0" $(($1 + 1)) &\nexec sleep 1000\n`,
  );
  await chmod(path, 0o755);
  return path;
}
const goneSoon = (name: string) =>
  expect.poll(() => run(['pgrep', '-f', name])).toMatchObject({ stdout: '' });

describe.runIf(process.platform === 'linux')('a command is ended with all its processes', () => {
  test('when it forks more and more', async () => {
    const path = await bomb(`forks-${process.pid}`, '');
    await expect(run([path, '0'], { processes: 40 })).rejects.toMatchObject({
      code: 'PEG_LIMIT',
      message: expect.stringMatching(
        /was stopped with all its processes: it ran \d+ processes at once, and 40/,
      ),
    });
    await goneSoon(path);
  });

  test('when it takes more and more memory, in itself or in what it starts', async () => {
    const take = `${process.execPath} -e 'const all = []; setInterval(() => all.push(Buffer.alloc(2e7, 1)), 1)'`;
    await expect(bash(`${take} & wait`, { memory: 300_000_000 })).rejects.toMatchObject({
      code: 'PEG_LIMIT',
      message: expect.stringMatching(/it took [\d,]+ MB of memory, and 286 MB is the limit/),
    });
  });

  test('when it prints and prints', async () => {
    await expect(bash('yes', { output: 20_000_000 })).rejects.toMatchObject({
      code: 'PEG_LIMIT',
      message: expect.stringContaining('bash was stopped with all its processes: it printed more than 19 MB'),
    });
  });
});

test('the limits are far beyond what commands need', () => {
  const { processes, memory, output } = standardLimits();
  expect(processes).toBe(1_000);
  expect(memory).toBeGreaterThan(500_000_000);
  expect(output).toBeGreaterThan(10e9);
});
