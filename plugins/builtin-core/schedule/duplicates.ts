import type { PluginContext } from 'pegboard';
import type { Schedule } from './store.ts';
import { timingOf } from './timing.ts';

/** Share of equal letters above which two texts are the same. */
const sameLetters = 0.8;
/** Cosine similarity above which two texts mean the same. */
const sameMeaning = 0.9;
/** Milliseconds within which two moments are the same appointment. */
const sameMomentMs = 10 * 60_000;

export type NewSchedule = Pick<Schedule, 'kind' | 'text' | 'cron' | 'run_at' | 'timezone'>;

/**
 * An equivalent schedule among `others`: due at the same times, with nearly the same letters (first pass) or the same
 * meaning (second pass, with embeddings).
 */
export async function findDuplicate(
  schedule: NewSchedule,
  others: readonly Schedule[],
  { now, context }: { readonly now: number; readonly context: Pick<PluginContext, 'embed'> },
): Promise<Schedule | undefined> {
  const candidates = others.filter((other) => isDueTogether(schedule, other, now));
  const text = normalise(schedule.text);
  const written = candidates.find((other) => likeness(text, normalise(other.text)) >= sameLetters);
  if (written || candidates.length === 0) return written;
  const vectors = await context.embed([schedule, ...candidates].map((each) => each.text));
  const [own, ...theirs] = vectors ?? [];
  return own && candidates.find((_, index) => cosine(own, theirs[index]!) >= sameMeaning);
}

function isDueTogether(a: NewSchedule, b: NewSchedule, now: number): boolean {
  if ((a.cron === null) !== (b.cron === null)) return false;
  if (a.cron === null) return Math.abs(Date.parse(a.run_at!) - Date.parse(b.run_at!)) <= sameMomentMs;
  const times = (schedule: NewSchedule): string => {
    const timing = timingOf(schedule);
    const next: (number | undefined)[] = [timing.after(now)];
    for (const _ of [1, 2]) next.push(next.at(-1) === undefined ? undefined : timing.after(next.at(-1)!));
    return next.join();
  };
  return times(a) === times(b);
}

const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 1_000);

/** 1 for equal texts, 0 for nothing in common: 1 − Levenshtein distance ÷ the longer length. */
export function likeness(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return 1 - row[b.length]! / longer;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, lengthA, lengthB] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    dot += value * b[index]!;
    lengthA += value * value;
    lengthB += b[index]! * b[index]!;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : dot / Math.sqrt(lengthA * lengthB);
}
