import { expect, test } from 'vitest';
import { createCallTree } from '../../../../plugins/builtin-page/page/live/call-tree.ts';
import type { CallRow } from '../../../../plugins/builtin-page/wire.ts';

const row = (id: string, at: number, within?: string): CallRow => ({
  id,
  tool: id,
  caller: 'test',
  at,
  ...(within !== undefined && { within }),
});

/** "a b c": two spaces for each call that it is within. */
const shown = (rows: readonly CallRow[]): readonly string[] => {
  const tree = createCallTree();
  for (const one of rows) tree.add(one);
  return tree.calls.map(({ id, depth }) => `${'  '.repeat(depth)}${id}`);
};

const family = [row('a', 1), row('a1', 2, 'a'), row('a11', 3, 'a1'), row('a2', 4, 'a'), row('b', 3)];

test('calls are under the one that made them, in whatever order they are told', () => {
  const expected = ['a', '  a1', '    a11', '  a2', 'b'];
  const orders = permutations(family);
  expect(orders).toHaveLength(120);
  for (const order of orders) expect(shown(order), order.map(({ id }) => id).join(' ')).toEqual(expected);
});

test('a call that its record says began before its parent is under it all the same', () => {
  expect(shown([row('child', 9, 'parent'), row('parent', 10), row('later', 11)])).toEqual([
    'parent',
    '  child',
    'later',
  ]);
});

test('calls that are said to be within each other are shown once each', () => {
  expect(shown([row('a', 1, 'b'), row('b', 2, 'a'), row('c', 3, 'c')]).toSorted()).toHaveLength(3);
});

test('a later row replaces what was known, and old ones are dropped', () => {
  const tree = createCallTree();
  expect(tree.add(row('a', 1))).toBe(true);
  expect(tree.add({ ...row('a', 1), outcome: 'ok' })).toBe(false);
  tree.add(row('within a', 2, 'a'));
  tree.add(row('b', 3));
  expect(tree.find('a')).toMatchObject({ outcome: 'ok', depth: 0 });
  expect(tree.keepLast(2)).toBe(1);
  expect(tree.find('a')).toBeUndefined();
  tree.add(row('c', 4));
  expect(tree.calls.map(({ id }) => id)).toEqual(['within a', 'b', 'c']);
});

function permutations<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length < 2) return [all];
  return all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}
