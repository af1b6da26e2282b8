import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGitIndex } from '../../../../host/spaces/pinned/git-index.ts';
import { createHome } from '../../../kit/homes/home.ts';

const longName = `folder/${'n'.repeat(3_000).replaceAll(/(.{200})/g, '$1/')}end`;

test.each([
  ['2', 'sha1'],
  ['3', 'sha1'],
  ['4', 'sha1'],
  ['4', 'sha256'],
])('an index of version %s with %s is read as git itself lists it', async (version, format) => {
  await using home = await createHome({ 'a b.md': '1', 'x/y.sh': '2', 'x/ü.txt': '3', 'x/yy': '' });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', `index.version=${version}`, ...args], { cwd: home.path, encoding: 'utf8' });
  git('init', '-q', `--object-format=${format}`, '.');
  await mkdir(join(home.path, longName, '..'), { recursive: true });
  await writeFile(join(home.path, longName), 'long');
  for (let at = 0; at < 30; at++) await home.write(`many/${'f'.repeat(at)}${at}`, String(at));
  git('add', '-A');
  if (version === '3') git('add', '--intent-to-add', await home.write('later', '1'));
  git('update-index', '--chmod=+x', 'x/y.sh');
  const listed = git('ls-files', '-s', '-z')
    .split('\0')
    .filter(Boolean)
    .map((line) => /^(\d+) ([0-9a-f]+) \d\t(.*)$/s.exec(line)!.slice(1));
  const expected = Object.fromEntries(listed.map(([mode, id, name]) => [name, `${mode} ${id}`]));
  expect(Object.fromEntries(readGitIndex(home.path)!)).toEqual(expected);
});

test('a split index can not be compared, and says so', async () => {
  await using home = await createHome({ x: '1' });
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: home.path });
  git('init', '-q', '.');
  git('add', '-A');
  git('update-index', '--split-index');
  expect(() => readGitIndex(home.path)).toThrow('--no-split-index');
});
