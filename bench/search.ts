/**
 * `node bench/search.ts [--groups] [--own-tools] [--small-homes] [FILE…]`: measures how well tools are found, compared
 * to plain BM25 in the same run, on our own collection and on any file of the format `{ meta, tools, queries }`. A
 * third of the requests, which nothing was tuned with, is also reported separately. `--own-tools`: also together with
 * the tools of a fresh home. `--small-homes`: how homes with a few dozen tools answer requests for tools that they
 * don't have. The cost of 10,000 tools is measured on all tools together.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isHeldOut, loadCollection, type Collection, type Query } from './search/collection.ts';
import { measure, type Find, type Measures } from './search/measures.ts';
import { ours } from './search/ours.ts';
import { ownTools } from './search/own-tools.ts';
import { plainBm25 } from './search/plain-bm25.ts';
import { scaleOf } from './search/scale.ts';
import { measureSmallHomes } from './search/small-homes.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    groups: { type: 'boolean', default: false },
    'own-tools': { type: 'boolean', default: false },
    'small-homes': { type: 'boolean', default: false },
  },
});
const everyday = join(import.meta.dirname, 'search-data/everyday.json');
const collections = [everyday, ...positionals].map(loadCollection);
const asked = collections.filter(({ queries }) => queries.length > 0);
const own = values['own-tools'] || values['small-homes'] ? await ownTools() : new Map();

const columns = ['', 'queries', 'R@1', 'R@5', 'R@10', 'NDCG@10', 'shown@5', 'unsure', 'false', 'p95 ms'];
for (const { name, tools, queries } of asked) {
  print([`${name}, ${tools.size} tools`, ...columns.slice(1)]);
  const find = ours(tools);
  print(['  BM25', ...cells(measure(queries, plainBm25(tools)))]);
  print(['  Pegboard', ...cells(measure(queries, find))]);
  print(['    a third held out', ...cells(measure(queries.filter(isHeldOut), find))]);
  if (values['own-tools']) {
    print([' with our own tools', ...cells(measure(queries, ours(new Map([...tools, ...own]))))]);
  }
  if (values.groups) printGroups(queries, find);
  console.log();
}
if (values['small-homes']) printSmallHomes();
await printScale(10_000);

function printGroups(queries: readonly Query[], find: Find): void {
  for (const [group, some] of Map.groupBy(queries, ({ group }) => group)) {
    print([`    ${group}`, ...cells(measure(some, find))]);
  }
}

function printSmallHomes(): void {
  print(['small homes of', 'refused', 'answered']);
  for (const collection of asked) {
    const others = asked.filter((other) => other !== collection);
    const { refused, answered } = measureSmallHomes(collection, others, own);
    print([`  ${collection.name}`, refused.toFixed(1), answered.toFixed(1)]);
  }
  console.log();
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
