import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import type { FileMentions } from '../../../../host/api/known-folders.ts';
import { createNameFinder } from '../../../../host/core/files/named-files.ts';
import { pathWordsIn } from '../../../../host/core/text/words-in-command.ts';
import { temporaryFolder } from '../../../kit/homes/plugin-home.ts';

const home = temporaryFolder({
  'spaces/s/workspace/bin/run.sh': '. "$(dirname "$0")/lib.sh"\n. ../conf/vars.txt\n',
  'spaces/s/workspace/bin/lib.sh': '',
  'spaces/s/workspace/conf/vars.txt': '',
  'spaces/s/workspace/top.py': 'import helper',
  'spaces/s/workspace/todo.md': '',
  'spaces/s/workspace/data.json': '',
  'spaces/s/workspace/drafts/a.md': '',
  'spaces/s/lib/steps': 'sh workspace/extra.sh\n',
  'spaces/s/workspace/extra.sh': '',
  'scripts/my tool.sh': '',
  'server.mjs': '',
});
const space = join(home, 'spaces/s');
const workspace = join(space, 'workspace');

/** The files that a text names, relative to the workspace of the space. */
function namedBy(text: string, more: Partial<FileMentions> = {}) {
  const find = createNameFinder(processSurroundings().userHome);
  const { named, dependencyFolders } = find([{ texts: [text], folders: [space], ...more }], {
    areas: [home, workspace],
    settled: [join(home, 'spaces')],
  });
  const inside = (paths: readonly string[]) => paths.map((path) => relative(workspace, path)).sort();
  return { named: inside(named), around: inside(dependencyFolders) };
}

test.each([
  ['sh workspace/bin/run.sh', ['bin', 'bin/lib.sh', 'bin/run.sh']],
  ["bash -c 'cd workspace && ./bin/run.sh'", ['bin', 'bin/lib.sh', 'bin/run.sh']],
  ['"$PEGBOARD_HOME/workspace/bin/run.sh"', ['bin', 'bin/lib.sh', 'bin/run.sh']],
  ['workspace/"bin"/run.sh', ['bin/run.sh']],
  ['./workspace/bin/../bin/run.sh', ['bin', 'bin/run.sh']],
  ['sh lib/steps', ['extra.sh']],
  ['cat workspace/todo.md', ['todo.md']],
  ['node --import=./workspace/late.mjs x', ['late.mjs']],
  ['python3 workspace/top.py {{name}}', ['top.py']],
  ["sh '../../scripts/my tool.sh'", ['../../../scripts', '../../../scripts/my tool.sh']],
])('%s names what it runs and reads, and what that may load', (text, expected) => {
  expect(namedBy(text).named).toEqual(expect.arrayContaining(expected));
});

test('around a program in a workspace only documents can be written freely, around one in a folder of its own nothing', () => {
  expect(namedBy('python3 workspace/top.py').around).toEqual(['']);
  expect(namedBy('sh workspace/bin/run.sh').around).toEqual([]);
  expect(namedBy('node ../../server.mjs').around).toEqual(['../../..']);
  expect(namedBy('ls workspace/drafts').around).toEqual(['drafts']);
  expect(namedBy('ls workspace').around).toEqual([]);
});

test('prose names files, and runs none', () => {
  const prose = { prose: true, folders: [workspace] };
  const { named, around } = namedBy('Read todo.md and data.json, then tidy bin/run.sh.', prose);
  expect(named).toEqual(expect.arrayContaining(['bin/run.sh', 'data.json', 'todo.md']));
  expect([named, around]).not.toEqual(expect.arrayContaining(['bin', 'conf/vars.txt']));
  expect(around).toEqual([]);
  expect(namedBy('Say hello to all drafts', prose)).toEqual({ named: [], around: [] });
  expect(namedBy('Write report.md', prose).named).toEqual(['report.md']);
});

test('a link is named, and so is what it leads to', () => {
  mkdirSync(join(workspace, 'way'), { recursive: true });
  symlinkSync('../bin/run.sh', join(workspace, 'way/go'));
  expect(namedBy('sh workspace/way/go').named).toEqual(expect.arrayContaining(['way/go', 'bin/run.sh']));
});

test('words are found however they are quoted, and long texts cost little', () => {
  const { words } = pathWordsIn(`a\\ b.sh 'c d' "e\\"f" X=y/z -fq {{p}}/r $(s/t) <u>v;w`);
  expect([...words]).toEqual(
    expect.arrayContaining(['a b.sh', 'c d', 'e"f', 'y/z', 'q', '/r', 's/t', 'u', 'v', 'w']),
  );
  expect(pathWordsIn('a/'.repeat(1_000_000)).words.size).toBeLessThan(10);
});
