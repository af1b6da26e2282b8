import { expect, test } from 'vitest';
import { limitStructure } from '../../../host/tools/structure-limit.ts';

const limited = (structured: unknown, limit: number): unknown =>
  limitStructure({ content: [], structured }, limit).structured;

test('what fits stays the same object', () => {
  const result = { content: [], structured: { text: 'short', list: [1, 2, 3] } };
  expect(limitStructure(result, 100)).toBe(result);
  const none = { content: [] };
  expect(limitStructure(none, 1)).toBe(none);
});

test('the longest strings are cut, short ones are not', () => {
  const cut = limited({ name: 'report.txt', first: 'a'.repeat(500), second: 'b'.repeat(90) }, 300);
  expect(cut).toMatchObject({ name: 'report.txt', second: 'b'.repeat(90), truncated: true });
  const { first } = cut as { readonly first: string };
  expect(first).toMatch(/^a{100,200}$/);
});

test('a string is never cut within a character', () => {
  for (const limit of [60, 61]) {
    const { text } = limited({ text: '😀'.repeat(100) }, limit) as { readonly text: string };
    expect(text).toMatch(/^(😀)+$/u);
  }
});

test('of a list of many small items the last are left out', () => {
  const entries = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `file ${id}` }));
  const cut = limited({ entries }, 5_000) as {
    readonly entries: readonly object[];
    readonly truncated: true;
  };
  expect(cut.truncated).toBe(true);
  expect(cut.entries.length).toBeGreaterThan(50);
  expect(cut.entries).toEqual(entries.slice(0, cut.entries.length));
  expect(JSON.stringify(cut).length).toBeLessThan(6_000);
});

test('what consists of nothing that can be cut ends too', () => {
  const members = Object.fromEntries(Array.from({ length: 100 }, (_, id) => [`member ${id}`, id]));
  expect(limited(members, 50)).toEqual({ ...members, truncated: true });
});
