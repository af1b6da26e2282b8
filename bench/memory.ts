/**
 * `node bench/memory.ts [FILE]`: how much of what answers a question about past conversations is recalled, beside plain
 * full text. FILE is in LoCoMo's form; without it, the conversations of bench/memory-data are asked about. Ends with 1
 * when an aim is missed.
 */
import { readConversations } from './memory/conversations.ts';
import { measure, type Measured, type Quality } from './memory/measure.ts';
import { pegboard, plain } from './memory/sides.ts';

/** Shares, and milliseconds. */
const aims = { at10: 0.75, packed: 0.83, p99: 10 };

const conversations = readConversations(process.argv[2]);
const measured = await measure(conversations, { plain, pegboard });

const columns = ['', 'questions', 'R@5', '', 'R@10', '', 'packed', ''] as const;
const sides = ['', '', 'plain', 'Pegboard', 'plain', 'Pegboard', 'plain', 'Pegboard'] as const;
const kinds = [...measured.pegboard.byKind.keys()].sort();
const lines = [
  columns,
  sides,
  ...kinds.map((kind) => row(kind, measured.plain.byKind.get(kind)!, measured.pegboard.byKind.get(kind)!)),
  row('all', measured.plain.all, measured.pegboard.all),
];
for (const line of lines)
  console.log(line.map((cell, at) => (at === 0 ? cell.padEnd(12) : cell.padStart(10))).join(''));
console.log();
console.log(`a recall takes ${times(measured.pegboard)}; plain full text ${times(measured.plain)}`);
console.log(`packed: at most ${measured.pegboard.longest} tokens`);

const { all, p99 } = measured.pegboard;
const verdicts = [
  [`R@10 ≥ ${aims.at10}`, all.at10 >= aims.at10],
  [`packed ≥ ${aims.packed}`, all.packed >= aims.packed],
  [`p99 < ${aims.p99} ms`, p99 < aims.p99],
] as const;
console.log(verdicts.map(([aim, met]) => `${aim}: ${met ? 'ok' : 'misses'}`).join(', '));
if (!verdicts.every(([, met]) => met)) process.exitCode = 1;

function row(name: string, direct: Quality, ours: Quality): readonly string[] {
  const pairs = (['at5', 'at10', 'packed'] as const).flatMap((figure) => [direct[figure], ours[figure]]);
  return [name, String(ours.questions), ...pairs.map((share) => share.toFixed(3))];
}

function times({ p50, p99: slow }: Measured): string {
  return `${p50.toFixed(1)} ms (p50), ${slow.toFixed(1)} ms (p99), of three the fastest`;
}
