import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from '../../../../../host/tools/result.ts';
import { openPluginHome, type PluginHome } from '../../../../kit/homes/plugin-home.ts';

/** Each is the .gitignore of a folder of its own. */
const patterns = [
  ...String.raw`
    *.py{} *.py{,c} *.{py,js} {a,b}.py [[:alpha:]].py [[:digit:]]* [![:alpha:]]* [[:upper:]]* [[:nonsense:]]a.py
    []a].py [a-c].py [!a-c].py [^a-c].py [c-a].py [a a[ [] [!] [\]].py [ü].py #x \#x !a.py \!x ! !!a.py !#x
    sub sub/ /sub /sub/ sub/* sub/** sub/**/x.txt **/x.txt **/deep **/deep/ deep/x.txt /deep/x.txt sub/deep/
    sub/deep/** sub//deep ./a.py / // ** **/ /** /* */ * *** **.py su** ?.py ??.py ?.txt *.PY A.PY a.p? \a.py \*.py
    *.py\ \ \\x *\.py ü.py a+.py (a).py a|b $x ^x a.py$ *a*p*y* *.*.* .* .hidden/
  `
    .trim()
    .split(/\s+/),
  '\uFEFFa.py',
  '\uFEFF# comment\na.py',
  '[[:space:]]x',
  'a.py\r\nb.py',
  'a.py   ',
  'a.py\\ ',
  'a b.py',
  'a\\ b.py',
  '# a',
  '*\n!a.py',
  '*.py\n!b.py\nb.*',
  'sub/\n!sub/a.py',
  'sub/*\n!sub/a.py',
  '/*\n!/sub',
  '*.py\n!sub/\n!sub/a.py',
  '\t',
  ' ',
  '   a.py',
  'a.py\t',
  '!sub/\nsub/a.py',
];
const paths = [
  ...'a.py b.py ab.py A.py x #x !x 1 ü.py *.py ].py a.py{} {a,b}.py a[ (a).py a+.py c.js \\x x.txt'.split(
    ' ',
  ),
  'sub/a.py',
  'sub/x.txt',
  'sub/deep/x.txt',
  'deep/x.txt',
  '.hidden/x',
  'a b.py',
  'a.py ',
];

/** What glob finds, and what git doesn't ignore. */
async function compare(
  home: PluginHome,
): Promise<{ readonly ours: readonly string[]; readonly gits: readonly string[] }> {
  const found = await home.call('glob', { pattern: '**/*' });
  const ours = (found.structured as { files: { path: string }[] }).files.map(({ path }) => path).toSorted();
  const run = (input: string, ...args: readonly string[]) =>
    execFileSync('git', ['-C', home.home, ...args], { input, maxBuffer: 1e9 })
      .toString()
      .split('\0');
  const all = run('', 'ls-files', '--others', '-z').filter(
    (path) => path !== '' && !path.startsWith('data/'),
  );
  const ignored = new Set(
    run(`${all.join('\0')}\0`, 'check-ignore', '--no-index', '--stdin', '-z', '--verbose')
      // source, line, pattern, path
      .flatMap((field, at, fields) => (at % 4 === 3 && !fields[at - 1]!.startsWith('!') ? [field] : [])),
  );
  return { ours, gits: all.filter((path) => !ignored.has(path)).toSorted() };
}

const homeWith = async (files: { readonly [path: string]: string }): Promise<PluginHome> => {
  const home = await openPluginHome({ files });
  execFileSync('git', ['init', '--quiet', home.home]);
  return home;
};

test.for(['', 'in/', 'a [b]*!#\\ü/'])('ignores what git ignores, below "%s"', async (base) => {
  const files = patterns.flatMap((pattern, index): [string, string][] => [
    [`${base}${index}/.gitignore`, pattern],
    ...paths.map((path): [string, string] => [`${base}${index}/${path}`, '']),
  ]);
  await using home = await homeWith(Object.fromEntries(files));
  const { ours, gits } = await compare(home);
  const of = (list: readonly string[], index: number): readonly string[] =>
    list.filter((path) => path.startsWith(`${base}${index}/`));
  for (const [index, pattern] of patterns.entries())
    expect.soft(of(ours, index), pattern).toEqual(of(gits, index));
  expect(ours).toEqual(gits);
  expect(patterns.length * paths.length).toBeGreaterThan(300);
});

test('takes the nearest of several files, and .git/info/exclude after all of them', async () => {
  const names = [
    'a.log',
    'b.log',
    'c.tmp',
    'keep/a.log',
    'out/x',
    'way/out/x',
    'way/out/b.log',
    'way/out/in/c.tmp',
  ];
  await using home = await homeWith({
    ...Object.fromEntries(names.map((name) => [name, ''])),
    '.gitignore': '*.log\nout/\n',
    'keep/.gitignore': '!*.log\n',
    'way/.gitignore': '!out/\n',
    'way/out/in/.gitignore': '!c.tmp\n',
  });
  writeFileSync(home.path('.git/info/exclude'), '*.tmp\n!b.log\n');
  const { ours, gits } = await compare(home);
  expect(ours).toEqual(gits);
  expect(ours.filter((path) => names.includes(path))).toEqual([
    'keep/a.log',
    'way/out/in/c.tmp',
    'way/out/x',
  ]);
});

test('takes what the user ignores everywhere, in repositories alone and before all else', async () => {
  const names = ['a.log', 'b.log', 'c.tmp', 'd.bak', 'in/a.log', 'in/c.tmp'];
  await using home = await homeWith({
    ...Object.fromEntries(names.map((name) => [name, ''])),
    '.gitignore': '!c.tmp\n/git/\n/global\n',
    'git/ignore': '*.log\n*.tmp\n',
    global: '*.bak\n/b.log\n',
  });
  writeFileSync(home.path('.git/info/exclude'), '!b.log\n');
  const before = process.env['XDG_CONFIG_HOME'];
  process.env['XDG_CONFIG_HOME'] = home.home;
  try {
    const first = await compare(home);
    expect(first.ours).toEqual(first.gits);
    expect(first.ours.filter((path) => names.includes(path))).toEqual([
      'b.log',
      'c.tmp',
      'd.bak',
      'in/c.tmp',
    ]);
    execFileSync('git', ['-C', home.home, 'config', 'core.excludesFile', home.path('global')]);
    const second = await compare(home);
    expect(second.ours).toEqual(second.gits);
    expect(second.ours).not.toContain('d.bak');
  } finally {
    if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
    else process.env['XDG_CONFIG_HOME'] = before;
  }
});

test('reads .git/info/exclude of a worktree, and no .gitignore that is a link or no file', async () => {
  await using home = await openPluginHome({
    files: {
      rules: '*.py',
      'main/.git/info/exclude': '*.tmp',
      'main/.git/worktrees/side/commondir': '../..\n',
      'side/.git': 'gitdir: ../main/.git/worktrees/side\n',
      ...Object.fromEntries(['side/a.tmp', 'side/a.py', 'pipe/a.py'].map((name) => [name, ''])),
    },
  });
  symlinkSync('../rules', home.path('side/.gitignore'));
  execFileSync('mkfifo', [home.path('pipe/.gitignore')]);
  const found = await home.call('glob', { pattern: '**/a.*' });
  expect(textOf(found).split('\n')).toEqual(['pipe/a.py', 'side/a.py']);
});

test('no pattern takes long for a deep path', async () => {
  const deep = 'a/'.repeat(40);
  await using home = await openPluginHome({
    files: {
      '.gitignore': `a/${'**/'.repeat(20)}b\n${'*a'.repeat(200)}b\n`,
      [`${deep}c`]: '',
      [`${deep}b`]: '',
    },
  });
  expect(textOf(await home.call('glob', { pattern: '**/[bc]' }))).toBe(`${deep}c`);
  writeFileSync(home.path('.gitignore'), `${'a/**/'.repeat(5)}b\n`);
  const { error } = await home.call('glob', { pattern: '**/c' });
  expect(error?.message).toContain(
    '.gitignore has the pattern "a/**/a/**/a/**/a/**/a/**/b", and more than 4 "**"',
  );
});
