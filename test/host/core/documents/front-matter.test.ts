import { expect, test } from 'vitest';
import { maxFrontMatterBytes, splitFrontMatter } from '../../../../host/core/documents/front-matter.ts';

test('front matter ends at the first --- on a line of its own', () => {
  expect(splitFrontMatter('---\na: "---"\nb: 1 ---\n---\n# Title\n---\nmore\n', '/a.md')).toEqual({
    head: 'a: "---"\nb: 1 ---\n',
    body: '# Title\n---\nmore\n',
  });
});

test('Windows line ends, spaces after the marks and a missing body are all right', () => {
  expect(splitFrontMatter('--- \r\na: 1\r\n---\t\r\nbody\r\n', '/a.md')).toEqual({
    head: 'a: 1\r\n',
    body: 'body\r\n',
  });
  expect(splitFrontMatter('---\na: 1\n---', '/a.md')).toEqual({ head: 'a: 1\n', body: '' });
});

test.each([
  ['that does not begin with it', '# Title\n', 'no-front-matter'],
  ['whose first line is not exactly ---', '----\na: 1\n---\n', 'no-front-matter'],
  ['that begins with an empty line', '\n---\na: 1\n---\n', 'no-front-matter'],
  ['that never closes it', '---\na: 1\n--- x\n', 'front-matter-not-closed'],
  [
    'whose front matter is too large',
    `---\na: ${'x'.repeat(maxFrontMatterBytes)}\n---\n`,
    'front-matter-too-large',
  ],
])('a file %s is refused by name', (_what, text, code) => {
  expect(splitFrontMatter(text, '/a.md')).toMatchObject({ code, path: '/a.md', line: 1, column: 1 });
});
