import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { failing, isAsBefore, news, release, sharedClone } from './shared-clone.ts';

const opened = sharedClone();

test('a clone is upgraded to what its remote has, with its data copied first', async () => {
  const clone = opened();
  const { folder, git, run } = clone;
  expect(run(['upgrade', '--yes'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('up to date') as string,
  });
  const from = git(folder, 'rev-parse', 'HEAD');
  const to = await release(clone, news);

  const shown = run(['upgrade', '--dry-run']);
  expect(shown.output).toContain('core: a second version');
  expect(shown.output).toContain('**Something new** for everybody.');
  expect(run(['upgrade'])).toMatchObject({
    code: 2,
    output: expect.stringContaining('--yes to upgrade') as string,
  });
  isAsBefore(clone, from);

  const upgraded = run(['upgrade', '--yes']);
  expect(upgraded, upgraded.output).toMatchObject({
    code: 0,
    output: expect.stringMatching(/upgraded: .*, \d+ tools/) as string,
  });
  isAsBefore(clone, to);
  const backups = readdirSync(join(folder, 'data/backups'));
  expect(backups.filter((name) => name.startsWith('before-upgrade-'))).toHaveLength(1);
});

test('a version that does not start is taken back, with the data that it has migrated', async () => {
  const clone = opened();
  const { folder, git, run } = clone;
  const from = git(folder, 'rev-parse', 'HEAD');
  await release(clone, failing("throw new Error('kaputt');"));
  const ended = run(['upgrade', '--yes']);
  expect(ended.code).toBe(1);
  expect(ended.output).toMatch(/not upgraded: the new version does not start: .*kaputt/s);
  expect(ended.output).toContain('Everything is as before');
  isAsBefore(clone, from);
});

test('a package says which command upgrades it', async () => {
  await using home = await createHome();
  const { code, stdout } = await pegboard(['upgrade'], { home: home.path, apart: true });
  expect(code).toBe(0);
  expect(stdout).toMatch(/is installed as a package[^]*npm install/);
});
