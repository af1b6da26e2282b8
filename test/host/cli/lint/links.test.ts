import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson, type CliResult } from '../../../kit/cli.ts';
import { createHome, createUnknownHome, manifest } from '../../../kit/homes/home.ts';

interface Found {
  readonly diagnostics: readonly { readonly code: string; readonly path: string; readonly message: string }[];
}

const key = 'q7Zt2LmX9vKd';
const secrets = {
  /** In no format that Pegboard reads, so that parsers would quote it. */
  key: `{ ${key}: [\n${key} = }\n`,
  'tools/leaked.md': manifest(key, `commnd: ${key}`),
  'tools/deep/leaked.ts': `const = ${key};\n`,
  'tools/SKILL.md': `---\nname: ${key}\nwrong: ${key}\n---\n`,
};

const textOf = ({ stdout, stderr }: CliResult): string => (stdout + stderr).replaceAll(/\s+/g, ' ');

test.each([
  ['pegboard.yaml', 'key'],
  ['.mcp.json', 'key'],
  ['spaces/s/agent/tools/a.md', 'key'],
  ['spaces/s/agent/tools/a.yaml', 'key'],
  ['spaces/s/agent/tools/a.ts', 'key'],
  ['spaces/s/agent/tools/more', 'tools'],
  ['spaces/s/agent/tools', 'tools'],
  ['spaces/s/agent/agent.yaml', 'key'],
  ['spaces/s/agent/SOUL.md', 'key'],
  ['spaces/s/agent/skills/a.md', 'key'],
  ['spaces/s/agent/skills/a', 'tools'],
  ['spaces/s/agent/skills', 'tools'],
  ['spaces/s/space.manifest.json', 'key'],
  ['plugins/p/plugin.yaml', 'key'],
  ['plugins/p/index.ts', 'key'],
  ['plugins/p/tools/a.md', 'key'],
  ['plugins/p/lib', 'tools'],
])('%s as a link out of the home is named, and what it leads to is not read', async (link, target) => {
  await using elsewhere = await createHome(secrets);
  await using home = await createUnknownHome();
  const place = join(home.path, link);
  await mkdir(dirname(place), { recursive: true });
  await rm(place, { force: true });
  await symlink(join(elsewhere.path, target), place);
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  const lint = await run('lint');
  expect(lint.code).toBe(1);
  expect(textOf(lint)).toContain('this symbolic link leads out of the home');
  expect(textOf(lint)).not.toContain(key);
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics).toMatchObject([{ code: 'link-out-of-home', path: link }]);
  for (const command of [['lint', place], ['tools'], ['trust', '--yes']])
    expect(textOf(await run(...command))).not.toContain(key);
});

test('links within the home are followed, and a space may be a link to a folder elsewhere', async () => {
  await using elsewhere = await createHome({
    'shared/agent/tools/far.md': manifest('far', 'command: echo far'),
  });
  await using home = await createHome({
    'shared/near.md': manifest('near', 'command: echo near'),
    'spaces/s/agent/tools/own.md': manifest('own', 'command: echo own'),
  });
  await symlink('../../../../shared/near.md', join(home.path, 'spaces/s/agent/tools/near.md'));
  await symlink(join(elsewhere.path, 'shared'), join(home.path, 'spaces/t'));
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  expect(textOf(await run('lint'))).toBe('No problems found. ');
  for (const name of ['near', 'own', 'far'])
    expect(await run('call', name)).toMatchObject({ code: 0, stdout: `${name}\n` });
});

test('a host that meets a link out of the home leaves the tool out, and says why', async () => {
  await using elsewhere = await createHome({ 'leaked.md': manifest('leaked', 'command: echo leaked') });
  await using home = await createHome({
    'spaces/s/agent/tools/own.md': manifest('own', 'command: echo own'),
  });
  await symlink(join(elsewhere.path, 'leaked.md'), join(home.path, 'spaces/s/agent/tools/leaked.md'));
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  expect(await run('call', 'leaked')).toMatchObject({ code: 4 });
  expect(await run('call', 'own')).toMatchObject({ code: 0, stdout: 'own\n' });
  expect(textOf(await run('tools'))).toContain(
    'spaces/s/agent/tools/leaked.md link-out-of-home this symbolic link leads out of the home',
  );
});

test('a plugin with a link out of the home is not approved', async () => {
  await using elsewhere = await createHome({ 'words.txt': key });
  await using home = await createHome({
    'plugins/p/plugin.yaml': 'id: p\nversion: 1.0.0\ndescription: Words\n',
    'plugins/p/index.ts':
      "import { definePlugin } from 'pegboard';\nexport default definePlugin({ setup: () => ({}) });\n",
  });
  await symlink(join(elsewhere.path, 'words.txt'), join(home.path, 'plugins/p/words.txt'));
  const allowed = await pegboard(['approvals', 'allow', 'p', '--yes'], { home: home.path });
  expect(allowed.code).toBe(2);
  expect(textOf(allowed)).toContain("plugins/p/words.txt can't be approved: it is a link out of the home");
});
