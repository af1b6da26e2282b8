import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../../host/cli/commands.ts';
import { parse } from '../../../../host/cli/parse.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

describe('what a user gets to know without a home', () => {
  test('--version prints the version of the package, and nothing else', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await pegboard(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('--help lists every command', async () => {
    const { code, stdout } = await pegboard(['--help']);
    expect(code).toBe(0);
    for (const { name, hidden } of commands) if (!hidden) expect(stdout).toContain(name);
  });

  test.each(commands.filter(({ hidden, name }) => !hidden && name !== ''))(
    'pegboard $name --help says how to use it, with an example',
    async ({ name, summary }) => {
      const { code, stdout, stderr } = await pegboard([...name.split(' '), '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Usage  pegboard ${name}`);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(summary);
      expect(stdout).toMatch(/Examples\n {2}\S/);
    },
  );

  test('a group without a command lists what there is, and with --help its commands', async () => {
    const { code, stdout } = await pegboard(['mcp', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('mcp add NAME [URL]');
    await using home = await createHome();
    const [alone, list] = [
      await pegboard(['secret'], { cwd: home.path }),
      await pegboard(['secret', 'list'], { cwd: home.path }),
    ];
    expect(alone).toEqual(list);
    expect(alone.code).toBe(0);
    expect(await pegboard(['secret', '--json'], { cwd: home.path })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a mistake in the command line', () => {
  test.each([
    [['tols'], 'Did you mean "pegboard tools"?'],
    [['mcp', 'ad'], 'Did you mean "pegboard mcp add"?'],
    [['mcp', 'xyzzy'], '"pegboard mcp" has list, add, remove'],
    [['tools', '--jsn'], 'Did you mean --json?'],
    [['call'], 'pegboard call needs TOOL.'],
    [['call', 'x', '--message', 'hi'], "A tool's parameters are written message=…."],
    [['status', 'now'], 'takes no arguments'],
    [['show', 'a', 'b'], 'takes only TOOL'],
    [['serve', '--http'], '--http needs a value: [HOST:]PORT.'],
    [['serve', '--http', 'port'], '"port" is not [HOST:]PORT'],
    [['serve', '--stdio', '--http', '1'], 'not both'],
    [['tools', '--json=yes'], '--json takes no value.'],
    [['search', 'x', '-k', '0'], '-k takes a whole number above 0'],
    [['completion', 'bsh'], 'Did you mean bash?'],
  ])('pegboard %j exits with 2 and says what was meant', async (args, message) => {
    await using home = await createHome();
    const { code, stdout, stderr } = await pegboard(args, { home: home.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n$/);
    expect(stderr).toContain(message);
  });

  test('with --json it is one JSON document on stdout as well', async () => {
    const { code, stdout } = await pegboard(['tools', '--json', '--nope']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'PEG_USAGE' } });
  });

  test('a config that is broken ends every command that needs it, with its place', async () => {
    await using home = await createHome({ 'pegboard.yaml': 'confirm: sometimes\n' });
    const { code, stderr } = await pegboard(['tools'], { home: home.path });
    expect(code).toBe(2);
    expect(stderr).toMatch(/pegboard\.yaml:1:\d+: /);
    expect(stderr).not.toContain('    at ');
  });
});

test('what follows -- is words, in every command but the one that takes a program', async () => {
  await using home = await createHome();
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  expect((await run('search', '--', 'list a folder')).stdout).toContain('filesystem.listdir');
  expect(await run('search', '--', '--json', '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No tool matches') as string,
  });
  expect((await run('show', '--', 'listdir')).stdout).toContain('filesystem.listdir');
  expect((await run('call', 'listdir', '--', 'path=.')).code).toBe(0);
  const added = await run('schedule', 'add', 'in 2 hours', '--message', '--', '--debug', 'is', 'on');
  expect(added.stdout).toContain(': --debug is on');
  expect((await run('memory', 'search', '--', '-k')).code).toBe(0);
  expect(await run('show', '--', '--json')).toMatchObject({ code: 4, stdout: '' });
  expect((await run('status', '--', 'now')).stderr).toContain('"now" is one too many');
});

test.each(commands.filter(({ takesProgram, name }) => !takesProgram && name !== ''))(
  'pegboard $name takes its words behind -- too',
  (command) => {
    const words = ['--a', '-b', 'c', '--', '-C=1'];
    expect(parse(command, ['--', ...words])).toMatchObject({ words, rest: [] });
    expect(parse(command, ['first', '--', ...words]).words).toEqual(['first', ...words]);
  },
);
