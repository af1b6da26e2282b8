import type { MemoryEvidence } from './evidence.ts';
import { showDay } from '../day.ts';
import { askedGrams } from '../words/grams.ts';
import { tokensOf, wordsOf } from '../words/words.ts';

/** Maximum tokens of past messages in a result. */
const evidenceBudgetTokens = 800;
/** Maximum characters of a message. A longer one is cut around the words of the question. */
const maxMessageLength = 600;

export interface PackedEvidence {
  readonly text: string;
  /** The messages in it. */
  readonly messages: readonly MemoryEvidence[];
}

/** Packs the best messages that fit, with their days, in chronological order. */
export function packEvidence(
  evidence: readonly MemoryEvidence[],
  question: string,
  timezone: string,
  budget: number = evidenceBudgetTokens,
): PackedEvidence {
  const words = [...wordsOf(question), ...askedGrams(question)];
  const taken: (MemoryEvidence & { readonly line: string })[] = [];
  const sessions = new Set<number>();
  let left = budget;
  for (const each of evidence) {
    const line = toLine(each, words);
    const heading = sessions.has(each.session) ? 0 : tokensOf(`\n${headingOf(each, timezone)}\n`);
    const cost = heading + tokensOf(`${line}\n`);
    if (cost > left) continue;
    left -= cost;
    sessions.add(each.session);
    taken.push({ ...each, line });
  }
  const inOrder = taken.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.message - b.message));
  const bySession = Map.groupBy(inOrder, ({ session }) => session);
  const blocks = [...bySession.values()].map((turns) =>
    [headingOf(turns[0]!, timezone), ...turns.map(({ line }) => line)].join('\n'),
  );
  return { text: blocks.join('\n'), messages: inOrder.map(({ line: _line, ...message }) => message) };
}

/** "[Mon, 8 May 2023, cli]" */
const headingOf = ({ at, source }: MemoryEvidence, timezone: string): string =>
  `[${showDay(at, timezone)}, ${source}]`;

/** "#12 user: I went to Lisbon yesterday." */
function toLine({ message, role, text }: MemoryEvidence, words: readonly string[]): string {
  return `#${message} ${role}: ${excerpt(text, words).replace(/\s+/g, ' ').trim()}`;
}

/** The part of a long text around the first of the words. */
function excerpt(text: string, words: readonly string[]): string {
  if (text.length <= maxMessageLength) return text;
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - maxMessageLength / 3);
  const start = places.length === 0 ? 0 : Math.min(from, text.length - maxMessageLength);
  const end = start + maxMessageLength;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
