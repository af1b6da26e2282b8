/**
 * `node bench/memory.ts [FILE]`: measures the recall of messages that answer questions about past conversations,
 * compared to plain full-text search; with a home for each conversation, and with all of them in one home. FILE is in
 * LoCoMo's format; default: the conversations of bench/memory-data. The exit code is 1 when a target is missed.
 */
import { readConversations, readForeignQuestions } from './memory/conversations.ts';
import { measure, shareOfNothing, type Measured, type Quality } from './memory/measure.ts';
import { pegboard, plain } from './memory/sides.ts';

/** Targets: improvement over plain full text as a factor; a share; milliseconds. */
const targets = { at10: 1.15, packed: 1.15, nothing: 0.6, p99: 10 };
const foreign = readForeignQuestions();

const conversations = readConversations(process.argv[2]);
await report(
  'each conversation in a home of its own',
  conversations.map((each) => [each]),
);
console.log();
await report('all conversations in one home', [conversations]);

async function report(title: string, homes: Parameters<typeof measure>[0]): Promise<void> {
  const measured = await measure(homes, { plain, pegboard });
  const columns = ['', 'questions', 'R@5', '', 'R@10', '', 'packed', ''] as const;
  const sides = ['', '', 'plain', 'Pegboard', 'plain', 'Pegboard', 'plain', 'Pegboard'] as const;
  const kinds = [...measured.pegboard.byKind.keys()].sort();
  const lines = [
    columns,
    sides,
    ...kinds.map((kind) => row(kind, measured.plain.byKind.get(kind)!, measured.pegboard.byKind.get(kind)!)),
    row('all', measured.plain.all, measured.pegboard.all),
  ];
  console.log(`${title}\n`);
  for (const line of lines)
    console.log(line.map((cell, at) => (at === 0 ? cell.padEnd(12) : cell.padStart(10))).join(''));
  console.log();
  console.log(`a recall takes ${times(measured.pegboard)}; plain full text ${times(measured.plain)}`);
  console.log(`packed: at most ${measured.pegboard.longest} tokens`);

  const nothing = await shareOfNothing(homes, foreign, pegboard);
  console.log(
    `nothing for ${percent(nothing)} of the questions about other matters; plain full text ${percent(await shareOfNothing(homes, foreign, plain))}`,
  );

  const { plain: direct, pegboard: ours } = measured;
  const verdicts = [
    [`R@10 ≥ ${targets.at10} × plain`, ours.all.at10 >= targets.at10 * direct.all.at10],
    [`packed ≥ ${targets.packed} × plain`, ours.all.packed >= targets.packed * direct.all.packed],
    [`nothing ≥ ${targets.nothing}`, nothing >= targets.nothing],
    [`p99 < ${targets.p99} ms`, ours.p99 < targets.p99],
  ] as const;
  console.log(verdicts.map(([target, met]) => `${target}: ${met ? 'ok' : 'misses'}`).join(', '));
  if (!verdicts.every(([, met]) => met)) process.exitCode = 1;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function row(name: string, direct: Quality, ours: Quality): readonly string[] {
  const pairs = (['at5', 'at10', 'packed'] as const).flatMap((figure) => [direct[figure], ours[figure]]);
  return [name, String(ours.questions), ...pairs.map((share) => share.toFixed(3))];
}

function times({ p50, p99: slow }: Measured): string {
  return `${p50.toFixed(1)} ms (p50), ${slow.toFixed(1)} ms (p99), of three the fastest`;
}
