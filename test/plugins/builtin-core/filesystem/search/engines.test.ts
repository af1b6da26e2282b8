import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, describe, expect, test } from 'vitest';
import { processSurroundings } from '../../../../../host/core/platform/surroundings.ts';
import type { LineSearchEngine } from '../../../../../plugins/builtin-core/filesystem/search/line-search.ts';
import { searchByRe2 } from '../../../../../plugins/builtin-core/filesystem/search/re2-search.ts';
import { ripgrepEngine } from '../../../../../plugins/builtin-core/filesystem/search/ripgrep.ts';
import { temporaryFolder } from '../../../../kit/homes/plugin-home.ts';
import { expectLinear } from '../../../../kit/growth.ts';

const files = {
  'a.txt':
    'alpha\nBeta 42\n\n  gamma_1\ttab\nDELTA-delta\nüber Straße 七\n٣ arabic digit\nx.y*z\n[bracket] {brace}\n',
  'b.txt': 'crlf one\r\ncrlf two\r\n\r\nlast without end',
  'c with space.txt': 'alpha beta gamma\n\\backslash\\ "quotes"\n',
  'd\nnewline.txt': 'alpha in an odd file\n',
  'latin.txt': Buffer.from('K\xe4se alpha\n', 'latin1'),
  'utf16.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('alpha wide\nzwei\n', 'utf16le')]),
  'empty.txt': '',
  'nul.bin': Buffer.from('alpha\0\nalpha\n'),
  '-dash.txt': 'alpha dashed\n',
};
const folder = temporaryFolder(files);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const names = Object.keys(files).sort();

const engines: readonly (readonly [string, LineSearchEngine])[] = [
  ['ripgrep', ripgrepEngine(rgPath, processSurroundings())],
  ['RE2', searchByRe2],
];
const search = (
  engine: LineSearchEngine,
  pattern: string,
  limit = 100,
  signal = new AbortController().signal,
) => engine({ pattern, folder, files: names, limit, signal });

test.each([
  'alpha',
  '^alpha',
  'alpha$',
  '^$',
  'one$',
  '(?i)beta',
  '[A-Z]+-[a-z]+',
  '\\d+',
  '\\d',
  '[^\\w\\s\\x{fffd}]',
  '\\w+_\\d',
  '\\s{2}',
  '^\\S+$',
  'Stra(ß|ss)e',
  '\\p{Greek}|七',
  'x\\.y\\*z',
  '\\[bracket\\]',
  '\\{brace\\}',
  '[[:digit:]]{2}',
  '\\bgamma\\b',
  '(?:a|b)eta',
  'l{1}a',
  '.*',
  'a.c|b.d',
  '\\x{fc}ber',
  '\\t',
  '"quotes"',
  '\\\\',
  'last without end',
  'wide',
  'zwei',
  '(?-i)ALPHA',
  'a{0}z',
  '[äöü]',
  '\\D\\d\\D?',
])('%s finds the same lines with and without ripgrep', async (pattern) => {
  const [byRipgrep, byRe2] = await Promise.all(engines.map(([, engine]) => search(engine, pattern)));
  expect(byRe2).toEqual(byRipgrep);
});

describe.each(engines)('%s', (_name, engine) => {
  test('finds lines in the order of the files, in files of any name and encoding', async () => {
    const { lines, binary } = await search(engine, 'alpha');
    expect(binary).toEqual(['nul.bin']);
    expect(lines).toEqual([
      { file: '-dash.txt', line: 1 },
      { file: 'a.txt', line: 1 },
      { file: 'c with space.txt', line: 1 },
      { file: 'd\nnewline.txt', line: 1 },
      { file: 'latin.txt', line: 1 },
      { file: 'utf16.txt', line: 1 },
    ]);
  });

  test('stops at the limit', async () => {
    expect((await search(engine, '.', 3)).lines).toEqual([
      { file: '-dash.txt', line: 1 },
      { file: 'a.txt', line: 1 },
      { file: 'a.txt', line: 2 },
    ]);
  });

  test('refuses what is no pattern, look-around and back-references too', async () => {
    for (const pattern of ['(', '[', '*', 'a(?=b)', '(?<!a)b', '(a)\\1', 'a{2,1}'])
      await expect(search(engine, pattern), pattern).rejects.toMatchObject({ code: 'PEG_INVALID_ARGUMENTS' });
  });

  test('is linear where others hang', async () => {
    const evil = temporaryFolder({});
    // Ripgrep is another process, which would not end before the test's timeout.
    await expectLinear(async (length) => {
      writeFileSync(join(evil, 'a.txt'), `${'a'.repeat(length)}!\n`);
      const found = await engine({
        pattern: '^(a|aa|a*)*$',
        folder: evil,
        files: ['a.txt'],
        limit: 1,
        signal: new AbortController().signal,
      });
      expect(found.lines).toEqual([]);
    }, 12_500);
    rmSync(evil, { recursive: true });
  });

  test('ends when it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(search(engine, 'alpha', 10, controller.signal)).rejects.toThrow('enough');
  });
});
