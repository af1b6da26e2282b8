import { expect, test } from 'vitest';
import { jsonOf } from '../../../../../host/core/documents/json/write-in-slices.ts';
import { parseJson, toJson } from '../../../../../host/core/documents/written-numbers.ts';
import { longestStall } from '../../../../kit/stalls.ts';

test.each<readonly [what: string, value: object]>([
  ['nothing', {}],
  ['lists in lists', [[], [[1], 'a"\n\u2028']]],
  ['what JSON has not', { a: undefined, b: [undefined, () => 1, Symbol('x'), Number.NaN], c: () => 1 }],
  ['what says how it is written', { at: new Date(0) }],
  [
    'numbers as they were written',
    parseJson('{"a":1.0,"b":[1e3,-0,12345678901234567890],"c":{"1":2.50}}') as object,
  ],
  ['odd names', JSON.parse('{"__proto__":1,"":{"toString":2},"a\\"b":[]}') as object],
  ['many values', { list: Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}` })) }],
])('it writes %s like JSON.stringify', async (_what, value) => {
  expect(await jsonOf(value)).toBe(toJson(value));
});

test('of any depth', async () => {
  const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(await jsonOf(parseJson(text) as object)).toBe(text);
});

test('a long one keeps nobody waiting', async () => {
  const text = `{"list":[${Array(1_000_000).fill('1.0').join(',')}]}`;
  const value = parseJson(text) as object;
  let written = '';
  expect(await longestStall(async () => (written = await jsonOf(value)))).toBeLessThan(1);
  expect(written === text).toBe(true);
});
