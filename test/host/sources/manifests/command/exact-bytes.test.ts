import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCommand } from '../../../../../host/sources/manifests/command/load.ts';
import { exactCase, parameters, type CaseKind } from './fuzz/exact-cases.ts';
import { openExecutor, throughSh } from './fuzz/execute.ts';
import { createRandom, effort } from '../../../../kit/data/fuzz.ts';

const count = 400 * effort;
let folder: string;
const names = ['-rf', 'a', 'b', 'v', '*'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegboard-exact-'));
  // Makes expanded globs and interpreted dashes visible.
  for (const name of names) await writeFile(join(folder, name), '');
});
afterAll(() => rm(folder, { recursive: true }));

const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };

/** Each case is rendered and executed on its own, with its own real argv. */
async function checkExactBytes(kind: CaseKind, count: number, seed: number): Promise<void> {
  const random = createRandom(seed);
  const cases = Array.from({ length: count }, () => exactCase(random, kind));
  await using executor = openExecutor();
  await executor.forEach(cases, async ({ template, args, expected }) => {
    const command = await loadCommand(template, parameters);
    const { argv, mode } = command.render(args);
    const executed = await executor.execute({
      argv: kind === 'sh' ? throughSh(argv) : argv,
      cwd: folder,
      environment,
    });
    const where = `FUZZ_SEED=${random.seed}\n${template}\n${JSON.stringify(args)}\n${executed.stderr}`;
    expect(mode, where).toBe(kind === 'argv' ? 'argv' : 'shell');
    expect(executed.exitCode, where).toBe(0);
    expect(Buffer.from(expected).equals(executed.stdout), where).toBe(true);
  });
  expect((await readdir(folder)).sort()).toEqual(names.toSorted());
}

test(
  `${count} commands with hostile values get them byte for byte without a shell`,
  { timeout: 180_000 },
  () => checkExactBytes('argv', count, 1001),
);

test(`${count} commands with hostile values get them byte for byte through bash`, { timeout: 180_000 }, () =>
  checkExactBytes('bash', count, 2002),
);

test(`${count} commands with hostile values get them byte for byte through sh`, { timeout: 180_000 }, () =>
  checkExactBytes('sh', count, 3003),
);
