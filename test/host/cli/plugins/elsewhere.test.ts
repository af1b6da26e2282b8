import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboardJson } from '../../../kit/cli.ts';
import { tgzOf } from '../../../kit/data/tar.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { startOnTerminal } from '../../../kit/pty.ts';
import { startPluginRegistry } from '../../../kit/servers/plugin-registry.ts';
import { dice, diceIn, runIn, six } from './dice.ts';

test('a package of npm is pinned with its packages, refused when they change, and removed', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'plugins: { dice: { config: {} } }\n' });
  await using registry = await startPluginRegistry();
  const ran = join(home.path, 'ran');
  registry.publish(six(ran));
  registry.publish(dice('1.0.0'));
  const env = { npm_config_registry: registry.url };
  const run = runIn(home, env);

  const added = await run('plugins', 'add', 'npm:pegboard-plugin-dice', '--yes');
  expect(added).toMatchObject({ code: 0 });
  for (const shown of [
    'npm:pegboard-plugin-dice@1.0.0',
    'ada',
    'sha512-',
    'dice.roll',
    'six 1.0.0',
    'index.ts',
  ])
    expect(added.stderr).toContain(shown);
  expect(await run('call', 'dice.roll')).toMatchObject({ code: 0, stdout: '1.0.0: 6\n' });
  expect(await diceIn(home)).toMatchObject({ state: 'running', source: 'npm:pegboard-plugin-dice@1.0.0' });

  const folder = join(home.path, 'plugins/dice');
  expect([ran, join(folder, 'ran')].filter((path) => existsSync(path))).toEqual([]);
  writeFileSync(join(folder, 'node_modules/six/index.js'), 'export default 7;\n');
  const tampered = await run('call', 'dice.roll');
  expect(tampered.code).not.toBe(0);
  expect(tampered.stderr).toContain('node_modules');
  const problem = expect.stringContaining('it is not what was added: node_modules') as string;
  expect(await diceIn(home)).toMatchObject({ state: 'failed', problem });
  expect(await run('approvals', 'allow', 'dice', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("dice can't be approved: it is not what was added") as string,
  });
  const { checks } = await pegboardJson<{ checks: readonly { name: string; status: string }[] }>(['doctor'], {
    home: home.path,
  });
  expect(checks).toContainEqual(expect.objectContaining({ name: 'plugin dice', status: 'failed' }));

  const removed = await run('plugins', 'remove', 'dice');
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('dice_rolls') as string });
  expect(existsSync(folder)).toBe(false);
  expect(await run('plugins', 'remove', 'dice', '--data')).toMatchObject({ code: 3 });
  const deleted = await run('plugins', 'remove', 'dice', '--data', '--yes', '--json');
  expect(JSON.parse(deleted.stdout)).toMatchObject({
    tables: ['dice_rolls'],
    settings: true,
    dataDeleted: true,
  });
  expect(await home.read('pegboard.yaml')).not.toContain('dice');
  expect(await run('plugins', 'remove', 'dice', '--data')).toMatchObject({ code: 2 });
});

test('what npm refuses, and what its registry did not list, is not added', async () => {
  await using home = await createHome();
  await using registry = await startPluginRegistry();
  const run = runIn(home, { npm_config_registry: registry.url, npm_config_fetch_retries: '0' });
  const missing = await run('plugins', 'add', 'npm:not-there', '--yes');
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("npm can't get not-there") as string,
  });
  const [wanted, other] = [dice('1.0.0', { json: { dependencies: {} } }), dice('1.0.0')];
  const { createHash } = await import('node:crypto');
  const integrity = `sha512-${createHash('sha512').update(tgzOf(wanted)).digest('base64')}`;
  registry.publish(wanted, { tarball: tgzOf(other), integrity });
  const swapped = await run('plugins', 'add', 'npm:pegboard-plugin-dice', '--yes');
  expect(swapped).toMatchObject({ code: 1, stderr: expect.stringContaining('integrity') as string });
  expect(existsSync(join(home.path, 'plugins/dice'))).toBe(false);
});

test('a repository is read over ssh at one commit; at a terminal, a Yes adds what was shown', async () => {
  await using home = await createHome({
    'plugins/own/plugin.yaml':
      'id: own\nversion: "1.0.0"\ndescription: Mine\npacks: { dice: { description: Dice } }\n',
    'plugins/own/index.ts': 'export default { setup: () => ({}) };\n',
  });
  const work = join(home.path, 'work');
  mkdirSync(work);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: work,
      encoding: 'utf8',
    }).trim();
  const commit = (files: Readonly<Record<string, string>>): string => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
    git('add', '-A');
    git('commit', '-qm', 'dice');
    return git('rev-parse', 'HEAD');
  };
  git('init', '-q', '-b', 'main');
  const first = commit(dice('1.0.0', { json: { dependencies: {} }, code: 'const six = 6;' }));
  // The user's own ssh decides where a host is: here, on this machine. Git's path over ssh is the real one.
  const ssh = join(home.path, 'ssh');
  writeFileSync(ssh, '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n');
  chmodSync(ssh, 0o755);
  const env = { GIT_SSH_COMMAND: ssh };
  const run = runIn(home, env);
  const source = `git:ssh://git@example.org${work}`;

  const taken = await run('plugins', 'add', source, '--yes');
  expect(taken).toMatchObject({ code: 3, stderr: expect.stringContaining('brings a pack "dice"') as string });
  expect(await run('plugins', 'disable', 'own')).toMatchObject({ code: 0 });
  const unasked = await run('plugins', 'add', source);
  expect(unasked).toMatchObject({ code: 3, stderr: expect.stringContaining('then pass --yes') as string });
  expect(unasked.stderr).toContain(`${source}#${first}`);
  expect(existsSync(join(home.path, 'plugins/dice'))).toBe(false);

  {
    await using terminal = startOnTerminal(['plugins', 'add', source], { home: home.path, env });
    await terminal.waitFor(/Add dice, and run its code with all your rights\?/);
    terminal.child.stdin.write('y');
    await terminal.waitFor(/added: dice 1\.0\.0/);
    expect(await terminal.ended).toMatchObject({ code: 0 });
  }
  expect(await run('call', 'dice.roll')).toMatchObject({ stdout: '1.0.0: 6\n' });
  expect((await run('plugins')).stdout).toContain(`#${first.slice(0, 7)}`);
  expect((await run('plugins', 'update')).stdout).toBe('dice 1.0.0 is up to date.\n');

  writeFileSync(join(home.path, 'plugins/dice/index.ts'), 'export default { setup: () => ({}) };');
  expect(await run('call', 'dice.roll')).toMatchObject({
    stdout: '1.0.0: 6\n',
    stderr: expect.stringContaining('index.ts in') as string,
  });
  const second = commit(dice('2.0.0', { json: { dependencies: {} }, code: 'const six = 66;' }));
  const looked = await run('plugins', 'update', '--dry-run');
  expect(looked.stdout).toContain(second);
  expect(await diceIn(home)).toMatchObject({ version: '1.0.0' });
  const again = await run('plugins', 'add', `${source}#${second}`, '--yes', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    id: 'dice',
    from: '1.0.0',
    to: '2.0.0',
    status: 'updated',
  });

  // A tag that names another commit than before is told before anything is trusted.
  git('tag', 'v2');
  expect(await run('plugins', 'add', `${source}#v2`, '--yes')).toMatchObject({ code: 0 });
  const third = commit({ 'NOTES.md': 'more' });
  git('tag', '--force', '--annotate', '-m', 'again', 'v2');
  const moved = `the tag v2 was moved: it named the commit ${second} when you added it, and names ${third} now`;
  const told = await run('plugins', 'update', 'dice');
  expect(told).toMatchObject({ code: 3, stderr: expect.stringContaining(`Careful: ${moved}.`) as string });
  // No temporary folder is named.
  expect(told.stderr).toContain(`┃ ${source}#${third}\n`);
  expect(told.stderr).not.toContain('.pegboard-');
  const agreed = await run('plugins', 'update', 'dice', '--yes', '--json');
  expect(JSON.parse(agreed.stdout)).toMatchObject({
    plugins: [{ status: 'updated', moved: { tag: 'v2', from: second, to: third } }],
  });
  expect(await run('plugins', 'add', `${source}#${third}`, '--yes')).toMatchObject({ code: 0 });

  git('update-index', '--add', '--cacheinfo', `160000,${first},module`);
  git('commit', '-qm', 'a submodule');
  const modules = await run('plugins', 'update', 'dice', '--yes');
  expect(modules).toMatchObject({ code: 0 });
  const other = await run('plugins', 'add', source, '--yes');
  expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining('has submodules') as string });
  const file = await run('plugins', 'add', `git:file://${work}`, '--yes');
  expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining('over https or ssh') as string });
});
