import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../../../host/tools/result.ts';
import { toPathMatcher } from '../../../../../plugins/builtin-core/filesystem/search/glob-pattern.ts';
import { openPluginHome } from '../../../../kit/homes/plugin-home.ts';
import { expectLinear } from '../../../../kit/growth.ts';

const tree = {
  '.gitignore': 'node_modules/\n*.log\n!keep.log\n/build\n',
  'readme.md': '# Title\nneedle here\n',
  'src/a.ts': 'one\nneedle\nthree\nfour\nfive\nneedle again\n',
  'src/deep/b.tsx': 'Needle\r\n',
  'src/deep/.gitignore': 'hidden.ts\n',
  'src/deep/hidden.ts': 'needle',
  'src/build/kept.ts': '',
  'build/out.ts': 'needle',
  'debug.log': 'needle',
  'keep.log': 'nothing',
  'node_modules/x/index.js': 'needle',
  '.git/config': 'needle',
  '.env': 'needle=1',
  'data/state.json': 'needle',
  'picture.bin': Buffer.from('needle\0needle'),
};

describe('glob', () => {
  test('finds files by path, sorted, without what git ignores', async () => {
    await using home = await openPluginHome({ files: tree });
    const glob = async (pattern: string, path?: string) =>
      textOf(await home.call('glob', { pattern, ...(path && { path }) })).split('\n');
    expect(await glob('**/*.ts')).toEqual(['src/a.ts', 'src/build/kept.ts']);
    expect((await home.call('glob', { pattern: '**/*.ts' })).structured).toEqual({
      files: [{ path: 'src/a.ts' }, { path: 'src/build/kept.ts' }],
    });
    expect(await glob('src/**/*.{ts,tsx}')).toEqual(['src/a.ts', 'src/build/kept.ts', 'src/deep/b.tsx']);
    expect(await glob('*.log')).toEqual(['keep.log']);
    expect(await glob('**/b.ts?', 'src')).toEqual(['src/deep/b.tsx']);
    expect(await glob('./readme.md')).toEqual(['readme.md']);
    expect(await glob('[a-r]*.md')).toEqual(['readme.md']);
    expect(await glob('data/*')).toEqual([expect.stringContaining('belongs to Pegboard itself')]);
  });

  test('looks into an ignored folder that is named', async () => {
    await using home = await openPluginHome({ files: tree });
    expect(textOf(await home.call('glob', { pattern: 'node_modules/**/*.js' }))).toBe(
      'node_modules/x/index.js',
    );
    expect(textOf(await home.call('glob', { pattern: '**/*.js', path: 'node_modules' }))).toBe(
      'node_modules/x/index.js',
    );
  });

  test('says when nothing matches and refuses to leave its folder', async () => {
    await using home = await openPluginHome({ files: tree });
    expect(textOf(await home.call('glob', { pattern: '*.java' }))).toContain('No file in');
    for (const pattern of ['../*', '/etc/*', 'src/../../*'])
      expect((await home.call('glob', { pattern })).error?.message).toContain('leaves the searched folder');
    expect((await home.call('glob', { pattern: '*', path: '/etc' })).error?.code).toBe('PEG_DENIED');
  });

  test('shows 10,000 files at most and says how many are left, as listdir does', async () => {
    await using home = await openPluginHome();
    mkdirSync(home.path('many'));
    for (let index = 0; index < 10_050; index++) writeFileSync(home.path(`many/${index}.x`), '');
    const found = await home.call('glob', { pattern: 'many/*.x' });
    expect(found.structured).toMatchObject({ files: { length: 10_000 }, truncated: true });
    expect(textOf(found)).toMatch(/\[50 more left out: 10000 are shown at most/);
    const listed = await home.call('listdir', { path: 'many' });
    expect(listed.structured).toMatchObject({ entries: { length: 10_000 }, truncated: true });
    expect(textOf(listed)).toMatch(/\[50 more left out: 10000 are listed at most; list a subfolder\]$/);
  });

  test.each([
    ['many *', '*a'.repeat(200), 'a'],
    ['many **', '**/a/'.repeat(50), 'a/'],
    ['many alternatives', '{a,a*,a?*}'.repeat(20), 'a'],
  ])('matches a hostile pattern in time by the length of a path: %s', async (_, pattern, path) => {
    const matches = toPathMatcher(`${pattern}b`);
    await expectLinear((length) => expect(matches(path.repeat(length))).toBe(false), 1_000);
  });

  test.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'x/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'x/y/a.ts', true],
    ['x/**', 'x/y/z', true],
    ['x/**/z', 'x/z', true],
    ['{a,b/*}.md', 'b/c.md', true],
    ['a.{md', 'a.{md', true],
    ['[!a]b', 'cb', true],
    ['[!a]b', '/b', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['f(1)+.txt', 'f(1)+.txt', true],
    ['😀?', '😀😀', true],
    ['a[', 'a[', true],
    ['**.ts', 'x/y/a.ts', true],
    ['x/{**.md,**.ts}', 'x/y/a.ts', true],
    ['x**.ts', 'x/a.ts', false],
    ['{1..3}.md', '2.md', true],
    ['[[:digit:]].md', '2.md', true],
    ['!a', '!a', true],
    ['#a', '#a', true],
    ['+(a)', '+(a)', true],
    ['*', '.a', true],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(toPathMatcher(pattern)(path)).toBe(expected);
  });
});

describe('grep', () => {
  test('shows matching lines with their place, without secrets, binary and ignored files', async () => {
    await using home = await openPluginHome({ files: tree });
    expect(textOf(await home.call('grep', { pattern: 'needle' })).split('\n')).toEqual([
      'readme.md:2:needle here',
      'src/a.ts:2:needle',
      'src/a.ts:6:needle again',
      "[picture.bin is binary and matched, but the lines can't be shown]",
      expect.stringContaining('1 file that may hold secrets was not searched'),
    ]);
    expect(textOf(await home.call('grep', { pattern: '(?i)^needle$', path: 'src' }))).toBe(
      'src/a.ts:2:needle\nsrc/deep/b.tsx:1:Needle',
    );
    expect(textOf(await home.call('grep', { pattern: 'needle', path: 'src/a.ts' }))).toContain('src/a.ts:6:');
    expect(textOf(await home.call('grep', { pattern: 'needle', path: 'node_modules' }))).toBe(
      'node_modules/x/index.js:1:needle',
    );
    expect(textOf(await home.call('grep', { pattern: 'needle', type: 'md' }))).toBe(
      'readme.md:2:needle here',
    );
  });

  test('shows lines around a match, by either name of the option', async () => {
    await using home = await openPluginHome({ files: tree });
    for (const option of ['context', '-C']) {
      const result = await home.call('grep', { pattern: 'needle', path: 'src/a.ts', [option]: 1 });
      expect(textOf(result)).toBe(
        'src/a.ts-1-one\nsrc/a.ts:2:needle\nsrc/a.ts-3-three\n--\nsrc/a.ts-5-five\nsrc/a.ts:6:needle again',
      );
      const path = 'src/a.ts';
      expect(result.structured).toEqual({
        matches: [
          { path, line: 2, text: 'needle' },
          { path, line: 6, text: 'needle again' },
        ],
        context: [
          { path, line: 1, text: 'one' },
          { path, line: 3, text: 'three' },
          { path, line: 5, text: 'five' },
        ],
        filesSearched: 1,
      });
    }
  });

  test('takes a pattern that looks like an option for a pattern', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': '--pre=evil\n-e x\n', '-e': 'file' } });
    expect(textOf(await home.call('grep', { pattern: '--pre=evil' }))).toBe('a.txt:1:--pre=evil');
    expect(textOf(await home.call('grep', { pattern: '-e x', path: 'a.txt' }))).toBe('a.txt:2:-e x');
    expect(textOf(await home.call('grep', { pattern: 'file', path: './-e' }))).toBe('-e:1:file');
  });

  test('explains a pattern that is none, and one across lines', async () => {
    await using home = await openPluginHome({ files: tree });
    const bad = await home.call('grep', { pattern: '(' });
    expect(bad.error).toMatchObject({
      code: 'PEG_INVALID_ARGUMENTS',
      message: expect.stringContaining('unclosed group'),
    });
    expect((await home.call('grep', { pattern: 'a\nb' })).error?.message).toContain('line break');
  });

  test('stops at 1,000 matches and cuts endless lines', async () => {
    await using home = await openPluginHome({
      files: { 'many.txt': 'match\n'.repeat(3_000), 'long.txt': `match${'x'.repeat(5_000_000)}` },
    });
    const long = await home.call('grep', { pattern: 'match', path: 'long.txt' });
    const text = `match${'x'.repeat(9_995)}`;
    expect(long.structured).toMatchObject({ matches: [{ line: 1, text }], truncated: true });
    const cut = textOf(long);
    expect(cut.length).toBeLessThan(600);
    expect(cut).toContain('(5000005 characters)');
    const result = textOf(await home.call('grep', { pattern: 'match' }));
    expect(result.match(/^many\.txt:/gm)).toHaveLength(999);
    expect(result).toContain('there are more than 1000 matches');
  });

  test('names the files that it could not search, and searches the others', async () => {
    await using home = await openPluginHome({
      files: {
        'in/a.txt': 'other\n',
        'in/nul.txt': Buffer.from('one\nneedle\n\0'),
        'in/late.txt': `${'x'.repeat(200_000)}\nneedle\n\0`,
        'in/many.bin': `\0${'needle\n'.repeat(3_000)}`,
        'in/z.txt': 'last needle\n',
      },
    });
    writeFileSync(home.path('in/big.log'), 'needle\n');
    truncateSync(home.path('in/big.log'), 50 * 1024 * 1024 + 1);
    const found = await home.call('grep', { pattern: 'needle', path: 'in' });
    expect(textOf(found).split('\n')).toEqual([
      'in/z.txt:1:last needle',
      expect.stringMatching(/^\[3 files \(.*\) are binary and matched, but the lines can't be shown\]$/),
      '[in/big.log is larger than 50 MB and not searched]',
    ]);
    expect(found.structured).toEqual({
      matches: [{ path: 'in/z.txt', line: 1, text: 'last needle' }],
      filesSearched: 5,
      binaryMatches: expect.arrayContaining(['in/nul.txt', 'in/late.txt', 'in/many.bin']),
      filesSkipped: [{ path: 'in/big.log', reason: 'larger than 50 MB' }],
    });
    expect(textOf(await home.call('grep', { pattern: 'needle', path: 'in/nul.txt' }))).toBe(
      "No line of text matches needle (one file searched).\n[in/nul.txt is binary and matched, but the lines can't be shown]",
    );
    const big = await home.call('grep', { pattern: 'needle', path: 'in/big.log' });
    expect(big.error?.message).toContain('files up to 50 MB are handled');
  });

  test('refuses a file that may hold secrets', async () => {
    await using home = await openPluginHome({ files: tree });
    symlinkSync('.env', home.path('harmless.txt'));
    for (const path of ['.env', 'harmless.txt'])
      expect((await home.call('grep', { pattern: 'needle', path })).error?.code).toBe('PEG_DENIED');
  });
});

describe('listdir', () => {
  test('shows type, size, time and name', async () => {
    await using home = await openPluginHome({ files: { 'b.txt': '12345', 'a/x': '', '.hidden': '' } });
    symlinkSync('b.txt', home.path('link'));
    const lines = textOf(await home.call('listdir', { path: '.' })).split('\n');
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^file    0  ${time}  \\.hidden$`)),
      expect.stringMatching(new RegExp(`^folder  -  ${time}  a/$`)),
      expect.stringMatching(new RegExp(`^file    5  ${time}  b\\.txt$`)),
      expect.stringMatching(new RegExp(`^link    -  ${time}  link -> b\\.txt$`)),
    ]);
    const modified = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await home.call('listdir', { path: '.' })).structured).toEqual({
      path: home.home,
      entries: [
        { name: '.hidden', path: '.hidden', type: 'file', size: 0, modified },
        { name: 'a', path: 'a', type: 'folder', modified },
        { name: 'b.txt', path: 'b.txt', type: 'file', size: 5, modified },
        { name: 'link', path: 'link', type: 'link', modified, target: 'b.txt' },
      ],
    });
  });

  test('goes into subfolders when asked, but not into ignored ones', async () => {
    await using home = await openPluginHome({ files: tree });
    const listed = await home.call('listdir', { path: '.', recursive: true });
    expect(listed.structured).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ name: 'b.tsx', path: 'src/deep/b.tsx' }),
        expect.objectContaining({ path: 'node_modules', ignored: true }),
      ]),
    });
    const text = textOf(listed);
    expect(text).toContain('src/deep/b.tsx');
    expect(text).toContain('node_modules/ (ignored by git, not listed)');
    expect(text).not.toContain('node_modules/x');
    expect(text).not.toContain('.git/config');
    expect(text).not.toContain('state.json');
  });

  test('says that a folder is empty, is none, or is out of reach', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': '' } });
    mkdirSync(home.path('empty'));
    expect(textOf(await home.call('listdir', { path: 'empty' }))).toBe(`${home.path('empty')} is empty.`);
    expect((await home.call('listdir', { path: 'a.txt' })).error?.message).toContain('is not a folder');
    expect((await home.call('listdir', { path: '..' })).error?.code).toBe('PEG_DENIED');
  });
});

test('a name with a line end takes one line of every list, and is exact in the structure', async () => {
  const name = 'a.md\nfile 3 fake.md';
  await using home = await openPluginHome({ files: { [name]: 'needle\n' } });
  for (const [tool, args] of [
    ['listdir', { path: '.' }],
    ['glob', { pattern: '*.md' }],
    ['grep', { pattern: 'needle' }],
  ] as const) {
    const result = await home.call(tool, args);
    expect(textOf(result)).toContain(String.raw`a.md\u{a}file 3 fake.md`);
    expect(JSON.stringify(result.structured)).toContain(JSON.stringify(name));
  }
});
