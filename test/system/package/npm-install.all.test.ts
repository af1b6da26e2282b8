import { cpSync, existsSync, globSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oldest, packageName, packForNpm, type NpmPackage, type Ran } from '../../kit/npm-package.ts';
import { systemNode } from '../../kit/system-node.ts';

const timeout = 120_000;

let npm: NpmPackage;
beforeAll(async () => {
  npm = await packForNpm();
}, timeout);
afterAll(() => npm[Symbol.asyncDispose]());

/** The system's, which may be old, and the one that runs these tests. */
const nodes = [
  { title: 'the Node of this machine', node: dirname(systemNode()) },
  { title: 'a new Node', node: dirname(process.execPath) },
];
const isOld = async (node: string): Promise<boolean> => {
  const { stdout } = await npm.run(join(node, 'node'), ['--version'], npm.folder);
  return Number.parseInt(stdout.slice(1), 10) < oldest;
};

describe.each(nodes)('on $title', ({ title, node }) => {
  const place = (name: string): string => {
    const path = join(npm.folder, title, name);
    mkdirSync(path, { recursive: true });
    return path;
  };

  test('npm i -g: from the package to a home, a first call and a new plugin', { timeout }, async () => {
    const prefix = place('global');
    const installed = await npm.run(
      'npm',
      ['install', '--global', '--prefix', prefix, npm.tarball],
      npm.folder,
      {
        node,
      },
    );
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    // Such as that a dependency is not meant for this Node: another one runs it.
    expect(installed.stderr).not.toMatch(/npm warn/i);
    const pegboard = (args: readonly string[], cwd: string): Promise<Ran> =>
      npm.run(join(prefix, 'bin/pegboard'), args, cwd, { node, home: place('user') });
    const home = join(place('homes'), 'mine');
    expect(await pegboard(['init', home], npm.folder)).toMatchObject({ code: 0, stderr: '' });
    expect(await pegboard(['call', 'greet', 'name=Ada'], home)).toEqual({
      code: 0,
      stdout: expect.stringContaining('Ada') as string,
      stderr: '',
    });
    expect(await pegboard(['new', 'plugin', 'dice'], home)).toMatchObject({ code: 0, stderr: '' });
    const modules = join(prefix, 'lib/node_modules/pegboard/node_modules');
    expect(existsSync(join(modules, packageName)), 'npm brings a Node where it is needed').toBe(
      await isOld(node),
    );
    expect(existsSync(place('user') + '/.local/share/pegboard')).toBe(false);
    expect(globSync('{,*/node_modules/}{*,@*/*}/package.json', { cwd: modules }).length).toBeLessThanOrEqual(
      120,
    );
  });

  test('npx in an empty folder', { timeout }, async () => {
    const cwd = place('empty');
    cpSync(npm.tarball, join(cwd, 'pegboard.tgz'));
    const args = ['--yes', './pegboard.tgz', 'call', 'list_categories'];
    const { code, stdout, stderr } = await npm.run('npx', args, cwd, { node });
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: expect.stringContaining('filesystem') as string,
    });
  });
});

describe('where npm finds no pegboard-runtime', () => {
  test('an old Node gets a new one at the first start, once', { timeout }, async (context) => {
    context.skip(!(await isOld(dirname(systemNode()))), "this machine's Node is new enough");
    npm.registry.remove('pegboard-runtime');
    const prefix = join(npm.folder, 'without');
    const user = join(npm.folder, 'first');
    const installed = await npm.run(
      'npm',
      ['install', '--global', '--prefix', prefix, npm.tarball],
      npm.folder,
    );
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    const version = (): Promise<Ran> =>
      npm.run(join(prefix, 'bin/pegboard'), ['--version'], npm.folder, { home: user });
    const first = await version();
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Installing Node 26.10.0') as string,
    });
    // Nothing that a service runs is in a cache.
    rmSync(join(user, '.cache'), { recursive: true, force: true });
    expect(await version()).toEqual({ code: 0, stdout: first.stdout, stderr: '' });
    expect(readdirSync(join(user, '.local/share/pegboard'))).toEqual(['node-26.10.0']);

    const packages = join(prefix, 'lib/node_modules/pegboard/bin/node-packages.json');
    const integrity = `sha512-${'A'.repeat(86)}==`;
    writeFileSync(packages, JSON.stringify({ [packageName]: { version: '26.10.0', integrity } }));
    const refused = await npm.run(join(prefix, 'bin/pegboard'), ['--version'], npm.folder, {
      home: join(npm.folder, 'second'),
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('EINTEGRITY');
    expect(refused.stderr).toContain('Install Node 24 or newer.');
  });
});
