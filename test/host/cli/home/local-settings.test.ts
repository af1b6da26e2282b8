import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { openGitClone } from '../../../kit/homes/git-clone.ts';
import { createHome, createUnknownHome } from '../../../kit/homes/home.ts';

const server = ['mcp', 'add', 'mine', '--', 'node', '-e', '0'];

test('in a clone, commands write settings to a file that git ignores, and a pull that changes pegboard.yaml is no conflict', async () => {
  await using clone = await openGitClone();
  const { folder, upstream, git, run } = clone;
  expect(run(server).output).toContain(`mine is written to ${join(folder, 'pegboard.local.yaml')}`);
  expect(run(['plugins', 'disable', 'builtin-web']).output).toContain('builtin-web is disabled.');
  expect(run(['models', 'set', 'ollama/some', '--anyway']).output).toContain(
    'pegboard.local.yaml now names ollama/some as the model',
  );
  expect(git(folder, 'status', '--porcelain')).toBe('');
  await appendFile(join(upstream, 'pegboard.yaml'), 'confirm: always\nmodels: { default: ollama/theirs }\n');
  git(upstream, 'commit', '-qam', 'Other settings');
  git(folder, 'pull', '-q');
  const local = await readFile(join(folder, 'pegboard.local.yaml'), 'utf8');
  expect(local).toMatch(/^# Settings of this machine/);
  for (const text of ['mine:', 'builtin-web:', 'default: ollama/some']) expect(local).toContain(text);
  expect(run(['mcp', 'list']).output).toContain('mine');
  expect(run(['mcp', 'remove', 'mine']).output).toContain('mine is removed from pegboard.local.yaml.');
  expect(git(folder, 'status', '--porcelain')).toBe('');
}, 120_000);

test('elsewhere, commands write pegboard.yaml, unless the home has a file of local settings', async () => {
  await using home = await createHome();
  await pegboard(server, { home: home.path });
  expect(await home.read('pegboard.yaml')).toContain('mine:');
  expect(existsSync(join(home.path, 'pegboard.local.yaml'))).toBe(false);
  await home.write('pegboard.local.yaml', '# Mine\n');
  const again = await pegboard(['mcp', 'add', 'mine', '--', 'node'], { home: home.path });
  expect(again.stderr).toContain('There is already a server mine');
  await pegboard(['mcp', 'add', 'other', '--', 'node', '-e', '0'], { home: home.path });
  expect(await home.read('pegboard.local.yaml')).toContain('other:');
  expect(await home.read('pegboard.yaml')).not.toContain('other:');
});

test('doctor, lint and backup know the local settings', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'confirm: always\n',
    'pegboard.local.yaml': 'plugins: { x: { enabled: maybe } }\n',
  });
  const { stdout } = await pegboard(['lint'], { home: home.path });
  expect(stdout).toContain('pegboard.local.yaml:1:');
  await writeFile(join(home.path, 'pegboard.local.yaml'), 'serve: { token: sk-0123456789abcdefghij0123 }\n');
  const { stdout: checks } = await pegboard(['doctor'], { home: home.path });
  expect(checks).toContain('pegboard.yaml, pegboard.local.yaml and .mcp.json are valid');
  expect(checks).toContain('pegboard.local.yaml:1 contains a secret in plain text');
  const { folder } = await pegboardJson<{ folder: string }>(['backup'], { home: home.path });
  expect(existsSync(join(folder, 'pegboard.local.yaml'))).toBe(true);
});

test('local settings alone make a folder a home that has to be trusted', async () => {
  await using home = await createUnknownHome({
    'pegboard.local.yaml': 'mcpServers: { theirs: { command: touch, args: [started] } }\n',
  });
  const env = { PEGBOARD_TRUST_HOME: undefined };
  await rm(join(home.path, 'pegboard.yaml'));
  const { code, stderr } = await pegboard(['call', 'theirs.x'], { home: home.path, env });
  expect(code).toBe(3);
  expect(stderr).toContain('unknown');
  expect(stderr + (await pegboard(['trust'], { home: home.path, env })).stderr).toContain('theirs');
  expect(existsSync(join(home.path, 'started'))).toBe(false);
});
