import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCollection } from '../../../bench/search/collection.ts';
import { measure } from '../../../bench/search/measures.ts';
import { indexOf, ours } from '../../../bench/search/ours.ts';
import { plainBm25 } from '../../../bench/search/plain-bm25.ts';

const { tools, queries } = loadCollection(
  join(import.meta.dirname, '../../../bench/search-data/everyday.json'),
);
const found = measure(queries, ours(tools));
const of = (group: string) =>
  measure(
    queries.filter((query) => query.group === group),
    ours(tools),
  );

test('the collection is large enough to judge by', () => {
  expect(tools.size).toBeGreaterThanOrEqual(500);
  expect(queries.length).toBeGreaterThanOrEqual(300);
  const named = queries.flatMap(({ relevant }) => relevant.flat());
  expect(named.filter((id) => !tools.has(id))).toEqual([]);
});

test('tools are found as well as when it was last measured', () => {
  expect(found.recall1).toBeGreaterThan(75.5);
  expect(found.recall5).toBeGreaterThan(89);
  expect(found.ndcg10).toBeGreaterThan(83);
});

test('where nothing is sure, the nearest three lose next to nothing of what exists', () => {
  expect(found.shown5).toBeGreaterThan(87.5);
  expect(found.unsure).toBeLessThan(14);
});

test('a request for a tool that does not exist is not taken for one that does: nine times out of ten', () => {
  expect(of('missing').falseAnswers).toBeLessThan(11);
  expect(of('missing-spoken').falseAnswers).toBeLessThan(9);
});

test('in a small home nine of ten requests for missing tools match nothing', () => {
  const servers = [...Map.groupBy(tools, ([, { source }]) => source.module).values()];
  const homes = [0, 1, 2, 3].map((at) => new Map(servers.filter((_, place) => place % 16 === at).flat()));
  const missing = queries.filter(({ relevant }) => relevant.length === 0);
  for (const home of homes) {
    expect(home.size).toBeGreaterThan(20);
    expect(home.size).toBeLessThan(80);
    expect(measure(missing, ours(home)).falseAnswers).toBeLessThan(10);
  }
});

test('several queries find what one with the same words finds', () => {
  const labelled = queries.filter(({ relevant }) => relevant.length > 0);
  const index = indexOf(tools);
  const inTwo = (text: string): string[] => {
    const words = text.split(' ');
    const half = Math.ceil(words.length / 2);
    return [words.slice(0, half), words.slice(half)]
      .filter(({ length }) => length > 0)
      .map((some) => some.join(' '));
  };
  const split = measure(labelled, (text, limit) => ({
    ids: index.search(inTwo(text), limit).map(({ id }) => id),
    isSure: true,
  }));
  expect(split.recall5).toBeGreaterThan(found.recall5 - 1);
});

test.each([
  ['keywords', 99],
  ['paraphrase', 81],
  ['typo', 95],
  ['language', 97],
  ['spoken', 75],
])('%s: at least %i of a hundred are among the first five', (group, least) => {
  expect(of(group).recall5).toBeGreaterThanOrEqual(least);
});

test('plain BM25 finds far less', () => {
  const plain = measure(queries, plainBm25(tools));
  expect(found.recall5 - plain.recall5).toBeGreaterThan(20);
});
