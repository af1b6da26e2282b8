import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

const maxFilesInFolder = 25;
const maxLines = 300;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(?:host|plugins|spaces|bench|tools|test)\//.test(file));
const code = files.filter((file) => file.endsWith('.ts'));
const folders = new Set(code.flatMap((file) => parentsOf(file)));

function parentsOf(file: string): string[] {
  const parent = dirname(file);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
}

test('no folder holds more files than a reader takes in at once', () => {
  const sizes = Object.entries(Object.groupBy(code, dirname)).map(([folder, held]) => ({
    folder,
    files: held!.length,
  }));
  expect(sizes.length).toBeGreaterThan(100);
  expect(sizes.filter(({ files: held }) => held > maxFilesInFolder)).toEqual([]);
});

test('no file of the program is longer than a few screens', () => {
  const long = code
    .filter((file) => /^(?:host|plugins)\//.test(file))
    .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > maxLines);
  expect(long).toEqual([]);
});

test('test/ mirrors the folders of host/ and plugins/', () => {
  const tests = code.filter((file) => /^test\/(?:host|plugins)\/.*\.test\.ts$/.test(file));
  expect(tests.length).toBeGreaterThan(200);
  const unmatched = [...new Set(tests.map(dirname))].filter(
    (folder) => !folders.has(folder.slice('test/'.length)),
  );
  expect(unmatched).toEqual([]);
});
