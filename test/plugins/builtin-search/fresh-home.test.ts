import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findIn, indexOf } from '../../../bench/search/ours.ts';
import { ownTools } from '../../../bench/search/own-tools.ts';

const file = join(import.meta.dirname, '../../../bench/search-data/fresh-home.json');
const { requests } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly requests: readonly {
    readonly set: 'tuned' | 'aside';
    readonly query: string;
    readonly relevant: readonly string[];
  }[];
};
const find = findIn(indexOf(await ownTools()));

test.each([
  ['tuned', 37, 39],
  ['aside', 34, 36],
] as const)(
  '%s: of 40 short requests each, %i have their tool first and %i are refused',
  (set, there, missing) => {
    const answers = requests
      .filter((request) => request.set === set)
      .map(({ query, relevant }) => ({ relevant, ...find(query, 5) }));
    expect(answers).toHaveLength(80);
    const isFirst = answers.filter(({ relevant, ids, isSure }) => isSure && relevant.includes(ids[0]!));
    const isRefused = answers.filter(({ relevant, isSure }) => relevant.length === 0 && !isSure);
    expect(isFirst.length).toBeGreaterThanOrEqual(there);
    expect(isRefused.length).toBeGreaterThanOrEqual(missing);
  },
);

test.each(['send email', 'cancel subscription', 'update spreadsheet', 'post tweet', 'update shopping cart'])(
  '"%s" is nothing that a fresh home can do: three tools are only the nearest',
  (query) => {
    const { ids, isSure } = find(query, 3);
    expect(isSure).toBe(false);
    expect(ids.length).toBeGreaterThan(0);
  },
);
