import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownCommand } from '../../../host/core/own-command.ts';
import { packageEntry, cloneEntry } from '../../kit/cli.ts';
import { repository } from '../../kit/homes/clone.ts';

let folder: string;

beforeAll(async () => {
  folder = realpathSync(await mkdtemp(join(tmpdir(), 'pegboard-own-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const place = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
};

const systemFolders = [dirname(process.execPath), '/usr/bin', '/bin'];

/** All that an entry point says, in a PATH with these folders in front. */
function said(entry: string, args: readonly string[], cwd: string, path: readonly string[]): Promise<string> {
  const env = { HOME: place('user'), PATH: [...path, ...systemFolders].join(delimiter) };
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, '--home', place('home'), ...args], { cwd, env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

function bin(name: string, entry: string): string {
  const path = place(name);
  symlinkSync(entry, join(path, 'pegboard'));
  return path;
}

const hints: readonly (readonly [args: readonly string[], hint: string])[] = [
  [['show', 'no_such_tool'], 'tools" lists them.'],
  [['no-such-command'], '--help" lists all commands.'],
  [['help', 'call'], 'call example.greet name=Ada'],
  [['help'], 'COMMAND --help" for details'],
  [['doctor'], 'init'],
];

test.each(hints)('%j names pegboard as this shell can start it', async (args, hint) => {
  const linked = bin(`linked-${args.join('-')}`, packageEntry());
  expect(await said(packageEntry(), args, folder, [linked])).toContain(`pegboard ${hint}`);
  expect(await said(packageEntry(), args, folder, [])).toContain(
    `node ${realpathSync(packageEntry())} ${hint}`,
  );
  expect(await said(cloneEntry, args, repository, [])).toContain(`npx pegboard ${hint}`);
  const others = bin(`others-${args.join('-')}`, cloneEntry);
  expect(await said(packageEntry(), args, folder, [others]), 'another installation').toContain(
    `node ${realpathSync(packageEntry())} ${hint}`,
  );
});

test('a command that is quoted from a person or a model stays as it is', async () => {
  const text = await said(packageEntry(), ['call', 'pegboard tools'], folder, []);
  expect(text).toContain('There is no tool "pegboard tools".');
});

test('a project, npx, a launcher and a path with spaces', () => {
  const root = place('spaced out/installed');
  mkdirSync(join(root, 'bin'));
  cpSync(cloneEntry, join(root, 'bin/pegboard.cjs'));
  const shell = { cwd: place('elsewhere'), path: '', platform: 'linux' as const };
  expect(ownCommand(root, shell)).toBe(`node '${join(root, 'bin/pegboard.cjs')}'`);
  expect(ownCommand(root, { ...shell, platform: 'win32' })).toBe(`node "${join(root, 'bin/pegboard.cjs')}"`);

  const launchers = place('launchers');
  const launcher = join(launchers, 'pegboard');
  writeFileSync(launcher, `#!/bin/sh\nexec node '${join(root, 'bin/pegboard.cjs')}' "$@"\n`, { mode: 0o644 });
  expect(ownCommand(root, { ...shell, path: launchers }), 'not a program').toContain('node ');
  chmodSync(launcher, 0o755);
  expect(ownCommand(root, { ...shell, path: launchers })).toBe('pegboard');

  const project = place('project');
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync(root, join(project, 'node_modules/pegboard'));
  symlinkSync(join(root, 'bin/pegboard.cjs'), join(project, 'node_modules/.bin/pegboard'));
  const path = join(project, 'node_modules/.bin');
  expect(ownCommand(root, { ...shell, cwd: join(project, 'node_modules/.bin'), path })).toBe('npx pegboard');
  expect(ownCommand(root, { ...shell, path }), 'npm puts it there for its scripts').toContain('node ');

  const beside = place('windows');
  mkdirSync(join(beside, 'node_modules'));
  symlinkSync(root, join(beside, 'node_modules/pegboard'));
  writeFileSync(join(beside, 'pegboard.cmd'), '@"%dp0%\\node_modules\\pegboard\\bin\\pegboard.cjs" %*');
  expect(ownCommand(root, { ...shell, path: beside, platform: 'win32' })).toBe('pegboard');
});

test.each([
  ['pegboard@1', '^1.0.0', 'npx pegboard@1'],
  ['./pegboard.tgz', 'file:../../elsewhere/pegboard.tgz', 'npx ./pegboard.tgz'],
  ['../pegboard.tgz', 'file:../../pegboard.tgz', 'npx PLACE/pegboard.tgz'],
])('npx %s', (given, dependency, expected) => {
  const cache = place(`_npx/${expected.length}`);
  const root = join(cache, 'node_modules/pegboard');
  mkdirSync(join(root, 'bin'), { recursive: true });
  writeFileSync(
    join(cache, 'package.json'),
    JSON.stringify({ dependencies: { pegboard: dependency }, _npx: { packages: [given] } }),
  );
  const shell = { cwd: place('elsewhere'), path: '', platform: 'linux' as const };
  expect(ownCommand(root, shell)).toBe(expected.replace('PLACE', folder));
});
