import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pegboard } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';

test('a home whose name is empty is a mistake, and not the current folder', async () => {
  for (const args of [
    ['--home', '', 'tools'],
    ['--home=', 'nothing-like-it'],
  ]) {
    const { code, stderr } = await pegboard(args);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--home needs a folder') as string,
    });
  }
});

test('a command of a plugin is found in the home that is named, in both ways of naming it', async () => {
  await using home = await createHome();
  for (const named of [['--home', home.path], [`--home=${home.path}`]])
    expect(await pegboard([...named, 'schedule', 'list'])).toMatchObject({ code: 0 });
});

test('a list whose quotes the shell took is refused, and the way to write it is shown', async () => {
  await using home = await createHome();
  const args = ['call', 'show_dialog', 'title=Where?', 'choices=[Staging,Production]'];
  const { code, stderr } = await pegboard(args, { home: home.path });
  expect(code).toBe(2);
  expect(stderr).toContain(`Quote it (choices='["one","two"]'), or repeat it: choices=one choices=two`);
});

test('a module that is not there has the exit code of a tool that is not there', async () => {
  await using home = await createHome();
  expect(await pegboard(['tools', 'nothing'], { home: home.path })).toMatchObject({ code: 4 });
});

test('there is nothing to uninstall where no service is', async () => {
  await using home = await createHome();
  const { stderr } = await pegboard(['service', 'uninstall'], { home: home.path });
  expect(stderr).not.toContain('Install it with');
});

test.runIf(existsSync('/proc/self'))(
  'where no folder can be made, nothing waits for ever',
  { timeout: 60_000 },
  async () => {
    await using home = await createHome();
    const ended = async (args: readonly string[], code: number, why: RegExp): Promise<void> => {
      const ran = await pegboard(args);
      expect(ran).toMatchObject({ code, stderr: expect.stringMatching(why) as string });
      expect(ran.stderr).not.toContain('bug in Pegboard');
    };
    await ended(['--home', home.path, 'backup', '/proc/copy'], 1, /No folder can be made in \/proc/);
    await ended(['--home', '/proc/copy', 'init'], 2, /\/proc\/copy can't be a home/);
    await ended(['--home', '/proc', 'setup', '--yes', '--self'], 2, /\/proc can't be a home/);
  },
);
