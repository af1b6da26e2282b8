import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pathMatcher } from '../../../../host/dispatch/permissions/path-pattern.ts';
import { createUnusedHome } from '../../../kit/homes/home.ts';

const matches = (pattern: string, path: string, use: 'allow' | 'deny'): boolean =>
  pathMatcher(pattern, { folder: '/h', userHome: '/u', use })(path);

const paths =
  String.raw`a.py A.py ab.py b.py a[.py ].py *.py ü.txt #x !x 1 x \x {a,b}.py sub/a.py sub/A.py sub/deep/a.py
  sub/deep/x deep/x deep/a.py sub/deep/deep/a.py app/[id]/x app/i/x`.split(/\s+/);

const patterns =
  String.raw`a.py *.py ?.py ??.py [ab].py [a-c].py [!a-c].py [^a]*.py [c-a].py [a a[ []].py []a].py [[].py
  [[:alpha:]].py [[:digit:]]* [[:nonsense:]]a.py [\]].py \*.py \a.py \\x *.py{} {a,b}.py *a*p*y* *.* ü.*
  sub sub/*.py sub/**/a.py **/a.py **/deep/a.py **/deep sub/**/deep/a.py /a.py /sub /sub/deep a**.py su** ** * sub/d*p/?
  app/[id]/x app/\[id]/x deep/x x deep`.split(/\s+/);

test('a path is matched as git matches it', async () => {
  await using home = await createUnusedHome(Object.fromEntries(paths.map((path) => [path, ''])));
  execFileSync('git', ['init', '--quiet', home.path]);
  for (const pattern of patterns) {
    await home.write('.git/info/exclude', `${pattern}\n`);
    const options = ['--no-index', '--stdin', '--verbose', '--non-matching', '-z'];
    const input = paths.map((path) => `${path}\0`).join('');
    const { stdout } = spawnSync('git', ['-C', home.path, 'check-ignore', ...options], { input });
    // Source, line, pattern, path.
    const fields = stdout.toString().split('\0');
    const gits = paths.filter((_, index) => fields[index * 4] !== '');
    const matcher = pathMatcher(pattern, { folder: home.path, userHome: '/u', use: 'allow' });
    expect
      .soft(
        paths.filter((path) => matcher(`${home.path}/${path}`)),
        pattern,
      )
      .toEqual(gits);
  }
});

test.each([
  ['//**', '/x/y', true],
  ['//x/**', '/x/y', true],
  ['//x/*', '/h/x/y', false],
  ['~/**', '/u/a', true],
  ['~/*.md', '/u/a.md', true],
  ['~/**', '/h/a', false],
  ['/**', '/h/a', true],
  ['/**', '/x/a', false],
  ['./a', '/h/a', true],
  ['../a', '/a', true],
  ['b/../a', '/h/a', true],
  ['!a', '/h/!a', true],
  ['#a', '/h/b/#a', true],
  ['a ', '/h/a ', true],
  ['a ', '/h/a', false],
])('%s starts at its folder: %s', (pattern, path, expected) => {
  expect([matches(pattern, path, 'allow'), matches(pattern, path, 'deny')]).toEqual([expected, expected]);
});

test('what denies a path ignores case, and takes a leading slash for either root', () => {
  expect([matches('/É/a', '/h/é/A', 'deny'), matches('/É/a', '/h/é/A', 'allow')]).toEqual([true, false]);
  expect([matches('/x/a', '/x/a', 'deny'), matches('/x/a', '/x/a', 'allow')]).toEqual([true, false]);
});

test('no pattern takes long for a deep path', () => {
  expect(matches(`${'a/**/'.repeat(30)}b`, `/h${'/a'.repeat(200)}/c`, 'deny')).toBe(false);
});

test.each([
  ['keys/[ab].pem', '/h/keys/a.pem', true],
  ['keys/[ab].pem', '/h/keys/c.pem', false],
  ['keys/[!ab].pem', '/h/keys/a.pem', false],
  ['keys/[].pem', '/h/keys/[].pem', false],
])('brackets are a set: %s and %s', (pattern, path, expected) => {
  expect(matches(pattern, path, 'allow')).toBe(expected);
});

test('a name with brackets is denied as well', () => {
  for (const pattern of ['app/[id]/page.tsx', 'app/[id]/[np]age.tsx'])
    expect(matches(pattern, '/h/app/[id]/page.tsx', 'deny')).toBe(true);
  expect(matches('app/[id]/page.tsx', '/h/app/[id]/page.tsx', 'allow')).toBe(false);
  expect(matches('keys/[].pem', '/h/keys/[].pem', 'deny')).toBe(true);
});
