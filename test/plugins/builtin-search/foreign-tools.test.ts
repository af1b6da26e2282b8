import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexOf } from '../../../bench/search/ours.ts';
import type { SearchedTool } from '../../../plugins/builtin-search/index/fields.ts';

interface Home {
  readonly set: 'tuned' | 'aside';
  readonly tools: readonly {
    readonly name: string;
    readonly server: string;
    readonly description: string;
    readonly inputSchema: SearchedTool['parameters'];
  }[];
  readonly requests: readonly {
    readonly language: string;
    readonly query: string;
    readonly relevant: string;
  }[];
}

const file = join(import.meta.dirname, '../../../bench/search-data/foreign-tools.json');
const { homes } = JSON.parse(readFileSync(file, 'utf8')) as { readonly homes: readonly Home[] };

const searching = ({ tools }: Home) =>
  indexOf(
    new Map(
      tools.map(({ name, server, description, inputSchema }) => [
        name,
        {
          name: name.slice(server.length + 2),
          description,
          parameters: inputSchema,
          source: { module: server, description: '' },
        },
      ]),
    ),
  );

test.each([
  ['tuned', 57, 50],
  ['aside', 54, 52],
] as const)(
  'of 60 requests in other languages (%s), %i find their tool first, %i for sure',
  (set, first, sure) => {
    const home = homes.find((one) => one.set === set)!;
    const index = searching(home);
    const found = home.requests.map(({ query, relevant }) => {
      const [best] = index.search(query, 5);
      return { isFirst: best?.id === relevant, isSure: best?.id === relevant && !best.nearest };
    });
    expect(home.requests).toHaveLength(60);
    expect(found.filter(({ isFirst }) => isFirst).length).toBeGreaterThanOrEqual(first);
    expect(found.filter(({ isSure }) => isSure).length).toBeGreaterThanOrEqual(sure);
  },
);

test('requests for what the other home has are refused as often as in English', () => {
  const [one, other] = homes as readonly [Home, Home];
  const refused = (home: Home, { requests }: Home): number => {
    const index = searching(home);
    return requests.filter(({ query }) => index.search(query, 3).every(({ nearest }) => nearest)).length;
  };
  expect(refused(one, other)).toBeGreaterThanOrEqual(48);
  // These two lists share half of their subjects: events, mail, folders, languages.
  expect(refused(other, one)).toBeGreaterThanOrEqual(40);
});
