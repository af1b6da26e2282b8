import type { MemoryEvidence } from '../../plugins/builtin-core/memory/recall/evidence.ts';
import { packEvidence } from '../../plugins/builtin-core/memory/recall/pack.ts';
import { tokensOf } from '../../plugins/builtin-core/memory/words/words.ts';
import { quantile } from '../kit/statistics.ts';
import type { Conversation, Kind } from './conversations.ts';
import { indexedHome, type OpenDatabase } from './home.ts';
import type { Side } from './sides.ts';

/** Share of the turns that answer a question which are found; means over questions. */
export interface Quality {
  readonly questions: number;
  readonly at5: number;
  readonly at10: number;
  /** Share in the text for the model. */
  readonly packed: number;
}

export interface Measured {
  readonly all: Quality;
  readonly byKind: ReadonlyMap<Kind, Quality>;
  /** Milliseconds of a recall, including packing: the fastest run for each question. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Tokens of the longest packed text. */
  readonly longest: number;
}

interface Asked extends Omit<Quality, 'questions'> {
  readonly kind: Kind;
  readonly ms: number;
  readonly tokens: number;
}

/**
 * Every side answers every question in turn, so that other load on the machine affects them equally.
 * `homes`: the conversations of each home. `runs`: of each recall; what is found is the same in every one.
 */
export async function measure<Name extends string>(
  homes: readonly (readonly Conversation[])[],
  sides: Readonly<Record<Name, Side>>,
  { runs = 3, open }: { readonly runs?: number; readonly open?: OpenDatabase } = {},
): Promise<Readonly<Record<Name, Measured>>> {
  const names = Object.keys(sides) as Name[];
  const asked = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Asked[]>;
  for (const conversations of homes) {
    await using home = await indexedHome(conversations, open);
    for (const { text, kind, evidence } of conversations.flatMap(({ questions }) => questions)) {
      const wanted = evidence.map((turn) => home.messages.get(turn)!);
      for (const name of names) {
        const { found, packed, ms } = await recall(() => sides[name](home, text), text, runs);
        const messages = found.map(({ message }) => message);
        asked[name].push({
          kind,
          ms,
          at5: shareOf(wanted, messages.slice(0, 5)),
          at10: shareOf(wanted, messages.slice(0, 10)),
          packed: shareOf(
            wanted,
            packed.messages.map(({ message }) => message),
          ),
          tokens: tokensOf(packed.text),
        });
      }
    }
  }
  return Object.fromEntries(names.map((name) => [name, summary(asked[name])])) as Record<Name, Measured>;
}

/** Share of the questions, asked in every home, for which nothing is found. */
export async function shareOfNothing(
  homes: readonly (readonly Conversation[])[],
  questions: readonly string[],
  side: Side,
): Promise<number> {
  let nothing = 0;
  for (const conversations of homes) {
    await using home = await indexedHome(conversations);
    for (const question of questions) if ((await side(home, question)).length === 0) nothing++;
  }
  return nothing / (homes.length * questions.length);
}

/** The fastest run counts, because other programs may interrupt some. */
async function recall(find: () => Promise<readonly MemoryEvidence[]>, question: string, runs: number) {
  let fastest = Infinity;
  for (let times = 1; ; times++) {
    const start = performance.now();
    const found = await find();
    const packed = packEvidence(found, question, 'UTC');
    fastest = Math.min(fastest, performance.now() - start);
    if (times === runs) return { found, packed, ms: fastest };
  }
}

const shareOf = (wanted: readonly number[], found: readonly number[]): number =>
  wanted.filter((message) => found.includes(message)).length / wanted.length;

function summary(asked: readonly Asked[]): Measured {
  const times = asked.map(({ ms }) => ms);
  return {
    all: quality(asked),
    byKind: new Map([...Map.groupBy(asked, ({ kind }) => kind)].map(([kind, own]) => [kind, quality(own)])),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
    longest: Math.max(...asked.map(({ tokens }) => tokens)),
  };
}

function quality(asked: readonly Asked[]): Quality {
  const mean = (figure: 'at5' | 'at10' | 'packed'): number =>
    asked.reduce((sum, each) => sum + each[figure], 0) / asked.length;
  return { questions: asked.length, at5: mean('at5'), at10: mean('at10'), packed: mean('packed') };
}
