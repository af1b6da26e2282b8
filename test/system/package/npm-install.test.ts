import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliEntry } from '../../kit/cli.ts';
import { repository } from '../../kit/homes/clone.ts';
import { startNpmRegistry, type NpmRegistry } from '../../kit/servers/npm-registry.ts';
import { systemNode, systemPath } from '../../kit/system-node.ts';

const { packageName, oldest } = createRequire(import.meta.url)('../../../bin/own-node.cjs') as {
  readonly packageName: string;
  readonly oldest: number;
};
const timeout = 120_000;

let registry: NpmRegistry;
let folder: string;
/** What `npm pack` makes of the package that this test run has built. */
let tarball: string;
const owned = new AsyncDisposableStack();

beforeAll(async () => {
  registry = owned.use(await startNpmRegistry());
  folder = await mkdtemp(join(tmpdir(), 'pegboard-npm-'));
  owned.defer(() => rm(folder, { recursive: true, force: true }));
  registry.add(join(repository, 'tools/runtime'));
  const integrity = await registry.addNode(packageName, '26.10.0');
  const built = join(folder, 'built');
  cpSync(join(dirname(cliEntry), '..'), built, { recursive: true });
  // The hash of Node's own package is that of 50 MB.
  writeFileSync(
    join(built, 'bin/node-packages.json'),
    JSON.stringify({ [packageName]: { version: '26.10.0', integrity } }),
  );
  await run('npm', ['pack', '--pack-destination', folder], built);
  tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
  );
}, timeout);
afterAll(() => owned.disposeAsync());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** With only HOME, PATH and npm's settings. `node`: the folder of the Node that comes first in the PATH. */
function run(
  program: string,
  args: readonly string[],
  cwd: string,
  { node = dirname(systemNode()), home = join(folder, 'user') } = {},
): Promise<Ran> {
  mkdirSync(home, { recursive: true });
  const env = {
    HOME: home,
    PATH: [node, ...systemPath()].join(delimiter),
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
  };
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env }, (failure, stdout, stderr) =>
      resolve({ code: failure ? Number(failure.code) : 0, stdout, stderr }),
    );
  });
}

/** The system's, which may be old, and the one that runs these tests. */
const nodes = [
  { title: 'the Node of this machine', node: dirname(systemNode()) },
  { title: 'a new Node', node: dirname(process.execPath) },
];
const isOld = async (node: string): Promise<boolean> => {
  const { stdout } = await run(join(node, 'node'), ['--version'], folder);
  return Number.parseInt(stdout.slice(1), 10) < oldest;
};

describe.each(nodes)('on $title', ({ title, node }) => {
  const place = (name: string): string => {
    const path = join(folder, title, name);
    mkdirSync(path, { recursive: true });
    return path;
  };

  test('npm i -g: from the package to a home, a first call and a new plugin', { timeout }, async () => {
    const prefix = place('global');
    const installed = await run('npm', ['install', '--global', '--prefix', prefix, tarball], folder, {
      node,
    });
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    const pegboard = (args: readonly string[], cwd: string): Promise<Ran> =>
      run(join(prefix, 'bin/pegboard'), args, cwd, { node, home: place('user') });
    const home = join(place('homes'), 'mine');
    expect(await pegboard(['init', home], folder)).toMatchObject({ code: 0, stderr: '' });
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
    expect(existsSync(place('user') + '/.cache')).toBe(false);
    expect(globSync('{,*/node_modules/}{*,@*/*}/package.json', { cwd: modules }).length).toBeLessThanOrEqual(
      120,
    );
  });

  test('npx in an empty folder', { timeout }, async () => {
    const cwd = place('empty');
    cpSync(tarball, join(cwd, 'pegboard.tgz'));
    const args = ['--yes', './pegboard.tgz', 'call', 'list_categories'];
    const { code, stdout, stderr } = await run('npx', args, cwd, { node });
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: expect.stringContaining('filesystem') as string,
    });
  });
});

describe('where npm finds no pegboard-runtime', () => {
  test('an old Node gets a new one at the first start, once', { timeout }, async (context) => {
    context.skip(!(await isOld(dirname(systemNode()))), "this machine's Node is new enough");
    registry.remove('pegboard-runtime');
    const prefix = join(folder, 'without');
    const user = join(folder, 'first');
    const installed = await run('npm', ['install', '--global', '--prefix', prefix, tarball], folder);
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    const version = (): Promise<Ran> =>
      run(join(prefix, 'bin/pegboard'), ['--version'], folder, { home: user });
    const first = await version();
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Installing Node 26.10.0') as string,
    });
    expect(await version()).toEqual({ code: 0, stdout: first.stdout, stderr: '' });

    const packages = join(prefix, 'lib/node_modules/pegboard/bin/node-packages.json');
    const integrity = `sha512-${'A'.repeat(86)}==`;
    writeFileSync(packages, JSON.stringify({ [packageName]: { version: '26.10.0', integrity } }));
    const refused = await run(join(prefix, 'bin/pegboard'), ['--version'], folder, {
      home: join(folder, 'second'),
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('EINTEGRITY');
    expect(refused.stderr).toContain('Install Node 24 or newer.');
  });
});
