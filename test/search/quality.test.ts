import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCollection } from '../../bench/search/collection.ts';
import { measure } from '../../bench/search/measures.ts';
import { ours } from '../../bench/search/ours.ts';
import { plainBm25 } from '../../bench/search/plain-bm25.ts';

const { tools, queries } = loadCollection(join(import.meta.dirname, '../../bench/search-data/everyday.json'));
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
  expect(found.recall5).toBeGreaterThan(87);
  expect(found.ndcg10).toBeGreaterThan(83);
});

test('what exists is not taken for missing', () => {
  expect(found.unanswered).toBeLessThan(5.5);
});

test('a request for a tool that does not exist finds nothing: four times out of five, of spoken ones every other', () => {
  expect(of('missing').falseAnswers).toBeLessThan(20);
  expect(of('missing-spoken').falseAnswers).toBeLessThan(50);
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
