/**
 * `node bench/search.ts [--groups] [FILE…]`: how well tools are found, beside plain BM25 in the same run. Our own
 * collection, and any file of the form `{ meta, tools, queries }`. What 10,000 tools cost is measured on all tools together.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCollection, type Collection, type Query } from './search/collection.ts';
import { measure, type Find, type Measures } from './search/measures.ts';
import { ours } from './search/ours.ts';
import { plainBm25 } from './search/plain-bm25.ts';
import { scaleOf } from './search/scale.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { groups: { type: 'boolean', default: false } },
});
const own = join(import.meta.dirname, 'search-data/everyday.json');
const collections = [own, ...positionals].map(loadCollection);

const columns = ['', 'queries', 'R@1', 'R@5', 'R@10', 'NDCG@10', 'shown@5', 'unsure', 'false', 'p95 ms'];
for (const collection of collections) {
  if (collection.queries.length === 0) continue;
  const { name, tools, queries } = collection;
  print([`${name}, ${tools.size} tools`, ...columns.slice(1)]);
  const find = { BM25: plainBm25(tools), Pegboard: ours(tools) };
  print(['  BM25', ...cells(measure(queries, find.BM25))]);
  print(['  Pegboard', ...cells(measure(queries, find.Pegboard))]);
  if (values.groups) printGroups(queries, find.Pegboard);
  console.log();
}
await printScale(10_000);

function printGroups(queries: readonly Query[], find: Find): void {
  for (const [group, some] of Map.groupBy(queries, ({ group }) => group)) {
    print([`    ${group}`, ...cells(measure(some, find))]);
  }
}

async function printScale(count: number): Promise<void> {
  const all = new Map(collections.flatMap(({ tools }: Collection) => [...tools]));
  const { tools, built, megabytes, p95, changed } = await scaleOf(all, collections[0]!.queries, count);
  console.log(
    `${tools} tools: built in ${built.toFixed(0)} ms of processor time, ${megabytes.toFixed(0)} MB, short queries p95 ${p95.toFixed(2)} ms, ` +
      `a tenth of them changed in ${changed.toFixed(0)} ms`,
  );
}

function cells({ queries, falseAnswers, p95, ...measures }: Measures): string[] {
  const { recall1, recall5, recall10, ndcg10, shown5, unsure } = measures;
  const shares =
    queries === 0
      ? ['', '', '', '', '', '']
      : [recall1, recall5, recall10, ndcg10, shown5, unsure].map((share) => share.toFixed(1));
  return [String(queries), ...shares, falseAnswers?.toFixed(1) ?? '', p95.toFixed(2)];
}

function print([first = '', ...rest]: readonly string[]): void {
  console.log(first.padEnd(26) + rest.map((cell) => cell.padStart(11)).join(''));
}
