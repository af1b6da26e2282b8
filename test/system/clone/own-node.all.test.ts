import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { repository } from '../../kit/homes/clone.ts';
import { systemNode, systemPath } from '../../kit/system-node.ts';

const { packageName } = createRequire(import.meta.url)('../../../bin/own-node.cjs') as {
  readonly packageName: string;
};
/** npm installs four times. */
const timeout = 180_000;
const version = execFileSync(systemNode(), ['--version'], { encoding: 'utf8' }).trim();

beforeEach((context) => {
  context.skip(
    Number.parseInt(version.slice(1), 10) >= 24,
    `this machine's Node is ${version}, so a clone brings none: to be run where it is older than 24`,
  );
});

interface Lock {
  readonly packages: { readonly [path: string]: { readonly version?: string; readonly integrity?: string } };
}

/** This repository without the packages that `--version` doesn't need: all but Node itself. */
async function createClone(): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-clone-'));
  for (const name of ['bin', 'host', 'schemas', 'tools', '.npmrc'])
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  const read = (name: string): unknown => JSON.parse(readFileSync(join(repository, name), 'utf8'));
  const write = (name: string, content: object): void =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  const without = { dependencies: undefined, devDependencies: undefined };
  write('package.json', { ...(read('package.json') as object), ...without });
  const lock = read('package-lock.json') as Lock;
  const isNode = ([path]: [string, object]): boolean =>
    /^node_modules\/(?:pegboard-runtime|node-(?:bin-)?(?:darwin|linux|win)-\w+)$/.test(path);
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(isNode));
  const brought = `node_modules/${packageName}`;
  const { integrity: _ofTheRealOne, ...entry } = lock.packages[brought]!;
  write('package-lock.json', {
    ...lock,
    packages: {
      '': { ...lock.packages[''], ...without },
      ...packages,
      [brought]: { ...entry, resolved: pathToFileURL(packNode(folder)).href },
    },
  });
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** The package with Node without its 50 MB: its program starts the Node that runs this test. Returns its path. */
function packNode(folder: string): string {
  const content = join(folder, 'runtime/package');
  mkdirSync(join(content, 'bin'), { recursive: true });
  cpSync(join(repository, 'node_modules', packageName, 'package.json'), join(content, 'package.json'));
  writeFileSync(join(content, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  chmodSync(join(content, 'bin/node'), 0o755);
  const file = join(folder, 'runtime/node.tgz');
  execFileSync('tar', ['-czf', file, '-C', join(folder, 'runtime'), 'package']);
  return file;
}

/** As typed into a login shell. Resolves with both streams. */
function npm(
  folder: string,
  args: readonly string[],
  path: readonly string[] = systemPath(),
): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:npm_|node_|path$|init_cwd$)/i.test(name));
  const env = { ...Object.fromEntries(own), PATH: path.join(delimiter) };
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: folder, env }, (failure, stdout, stderr) =>
      resolve(`${stdout}${stderr}${failure ? `exit ${failure.code}` : ''}`),
    );
  });
}

const installs = /Installing dependencies/;
const started = /^\d+\.\d+\.\d+$/m;

test(
  'on an older Node, npm start keeps the Node that the clone brings, and gets it back',
  { timeout },
  async () => {
    await using clone = await createClone();
    const { folder } = clone;
    const start = (path?: readonly string[]): Promise<string> =>
      npm(folder, ['start', '--', '--version'], path);
    const makeStale = (): void => utimesSync(join(folder, 'node_modules/.package-lock.json'), 0, 0);
    const bin = join(folder, 'node_modules/.bin');
    const ownFirst = [bin, ...systemPath()];

    const first = await start();
    expect(first).toMatch(installs);
    expect(first).toMatch(started);
    expect(await start()).not.toMatch(installs);

    makeStale();
    const afterPull = await start();
    expect(afterPull).toMatch(installs);
    expect(afterPull).toMatch(started);

    makeStale();
    const withinScript = await start(ownFirst);
    expect(withinScript).toMatch(installs);
    expect(withinScript).toMatch(started);

    await npm(folder, ['ci', '--prefer-offline'], ownFirst);
    expect(existsSync(join(bin, 'node'))).toBe(false);
    const repaired = await start();
    expect(repaired).toMatch(installs);
    expect(repaired).toMatch(started);
  },
);
