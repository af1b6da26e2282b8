import { expect, test } from 'vitest';
import { mistakeIn } from '../../../../host/core/documents/mistake-in.ts';

test.each([
  ['json', '{"x": 1,}', /^line 1, column 9: .*delete the comma/],
  ['json', '{\n  "x" 1\n}', /^line 2, column 7: /],
  ['yaml', 'name: [a\nrest: "b\n', /^line \d, column \d: .*(?:quotes|\])/],
  [
    'yaml',
    'a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> theirs\n',
    /^line 2, column 1: git could not merge/,
  ],
  [
    'json',
    '{\n<<<<<<< HEAD\n"b": 1\n=======\n"b": 2\n>>>>>>> x\n}',
    /^line 2, column 1: git could not merge/,
  ],
] as const)('%s: %j says where and what', (format, text, said) => {
  const mistake = mistakeIn(text, format);
  expect(mistake).toMatch(said);
  expect(mistake).not.toMatch(/this is not|\n| at line /);
});

test('a sound text has no mistake', () => {
  expect(mistakeIn('{"x": 1}', 'json')).toBeUndefined();
  expect(mistakeIn('x: 1', 'yaml')).toBeUndefined();
});
