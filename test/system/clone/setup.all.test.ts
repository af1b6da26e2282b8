import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../kit/homes/clone.ts';
import { systemPath } from '../../kit/system-node.ts';

/** A small package with the scripts of this one: one dependency that it runs with, one for tests. */
async function createClone(): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-setup-'));
  for (const name of ['tools/setup.cjs', 'bin/own-node.cjs', '.npmrc'])
    cpSync(join(repository, name), join(folder, name));
  const write = (name: string, content: object): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(content));
  };
  write('tools/runtime/package.json', { name: 'none', version: '1.0.0', optionalDependencies: {} });
  write('packages/used/package.json', { name: 'used', version: '1.0.0' });
  write('packages/tested/package.json', { name: 'tested', version: '1.0.0' });
  write('package.json', {
    name: 'small',
    version: '1.0.0',
    scripts: {
      prestart: 'node tools/setup.cjs run',
      start: 'node -e 0',
      pretest: 'node tools/setup.cjs',
      test: 'node -e 0',
    },
    dependencies: { used: 'file:packages/used' },
    devDependencies: { tested: 'file:packages/tested' },
  });
  await npm(folder, ['install', '--package-lock-only', '--offline']);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Resolves with stderr. */
function npm(folder: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:npm_|node_|path$|init_cwd$)/i.test(name));
  const env = { ...Object.fromEntries(own), PATH: systemPath().join(delimiter), ...more };
  return new Promise((resolve, reject) => {
    execFile('npm', args, { cwd: folder, env }, (failure, _stdout, stderr) =>
      failure ? reject(new Error(stderr, { cause: failure })) : resolve(stderr),
    );
  });
}

test(
  'start installs what running needs, test the rest, and neither installs twice',
  { timeout: 120_000 },
  async () => {
    await using clone = await createClone();
    const installed = (): readonly string[] =>
      ['used', 'tested'].filter((name) => existsSync(join(clone.folder, 'node_modules', name)));
    const inode = (): number => statSync(join(clone.folder, 'node_modules/used')).ino;

    expect(await npm(clone.folder, ['start'])).toContain('Installing dependencies');
    expect(installed()).toEqual(['used']);
    const before = inode();
    expect(await npm(clone.folder, ['start'])).not.toContain('Installing');

    // As on a server, where npm leaves the dependencies of tests out unless it is told otherwise.
    expect(await npm(clone.folder, ['test'], { NODE_ENV: 'production' })).toContain(
      'Installing dependencies',
    );
    expect(installed()).toEqual(['used', 'tested']);
    expect(inode(), 'what a running host loads from stays').toBe(before);
    for (const script of ['test', 'start'])
      expect(await npm(clone.folder, [script])).not.toContain('Installing');

    const later = new Date(Date.now() + 60_000);
    utimesSync(join(clone.folder, 'package-lock.json'), later, later);
    expect(await npm(clone.folder, ['start'])).toContain('Installing dependencies');
    expect(installed()).toEqual(['used', 'tested']);
  },
);
