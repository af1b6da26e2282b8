import { diff } from 'node:util';

/** Maximum lines of a preview. */
const defaultLines = 60;
/** Maximum lines to compare. Beyond this, the whole middle counts as replaced. */
const maxCompared = 1_500;
const contextLines = 2;

type Line = readonly [sign: ' ' | '-' | '+', text: string];

/** A unified diff without a header. A longer one is cut with a note. */
export function diffOf(
  before: string,
  after: string,
  { maxLines = defaultLines }: { readonly maxLines?: number } = {},
): string {
  // Each line has its end, also the last one.
  const [a, b] = [`${before}\n`, `${after}\n`];
  const start = lineStart(a, sharedStart(a, b));
  const shared = sharedEnd(a, b, Math.min(a.length, b.length) - start);
  const isLine = [a, b].every((text) => beginsLine(text, text.length - shared, start));
  const tail = isLine ? a.length - shared : a.indexOf('\n', a.length - shared) + 1;
  const [removed, added] = [a.slice(start, tail), b.slice(start, b.length - (a.length - tail))];
  const above = lastLines(a.slice(0, start), contextLines);
  const below = firstLines(a.slice(tail), contextLines);
  const context = (lines: readonly string[]): Line[] => lines.map((text): Line => [' ', text]);
  const counted = countLines(removed) + countLines(added);
  const from = countLines(a.slice(0, start)) - above.length;
  // Of a long one, no more lines are made than are shown.
  const isLong = counted > maxCompared;
  const changed = isLong
    ? replacedBy(firstLines(removed, maxLines), firstLines(added, maxLines))
    : compare(linesIn(removed), linesIn(added));
  const lines = [...context(above), ...changed, ...context(below)];
  const shown = shorten(lines, maxLines, isLong ? above.length + counted + below.length : undefined);
  return [`@@ line ${from + 1} @@`, ...shown].join('\n');
}

/** Characters that are compared at once. */
const block = 64 * 1024;

/** How many characters both begin with. */
function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.slice(at, at + block) === b.slice(at, at + block)) at += block;
  at = Math.min(at, most);
  while (at < most && a[at] === b[at]) at++;
  return at;
}

/** How many characters both end with, `most` at most. */
function sharedEnd(a: string, b: string, most: number): number {
  let length = 0;
  while (
    length + block <= most &&
    a.endsWith(b.slice(b.length - length - block, b.length - length), a.length - length)
  )
    length += block;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

/** Where the line with the character before `at` begins. */
const lineStart = (text: string, at: number): number => (at > 0 ? text.lastIndexOf('\n', at - 1) + 1 : 0);

/** `start` does. */
const beginsLine = (text: string, at: number, start: number): boolean =>
  at === start || text[at - 1] === '\n';

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

const linesIn = (text: string): readonly string[] => firstLines(text, Infinity);

function firstLines(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length && lines.length < most;) {
    const end = text.indexOf('\n', start);
    lines.push(text.slice(start, end));
    start = end + 1;
  }
  return lines;
}

function lastLines(text: string, most: number): readonly string[] {
  let start = text.length;
  for (let at = 0; at < most && start > 0; at++) start = lineStart(text, start - 1);
  return linesIn(text.slice(start));
}

const replacedBy = (before: readonly string[], after: readonly string[]): Line[] => [
  ...before.map((text): Line => ['-', text]),
  ...after.map((text): Line => ['+', text]),
];

function compare(before: readonly string[], after: readonly string[]): Line[] {
  // Node's own fails for two empty lists.
  if (before.length + after.length === 0) return [];
  return diff(before, after).map(([side, text]): Line => [side === 0 ? ' ' : side > 0 ? '-' : '+', text]);
}

/**
 * Removes unchanged lines between changes, then lines beyond the limit. `all`: how many there are, with those that were
 * not made.
 */
function shorten(lines: readonly Line[], maxLines: number, all?: number): string[] {
  const shown: string[] = [];
  let skipped = 0;
  for (const [index, [sign, text]] of lines.entries()) {
    const near = lines
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(([other]) => other !== ' ');
    if (!near && lines.length > 3 * contextLines) {
      skipped++;
      continue;
    }
    if (skipped > 0) shown.push(`@@ ${skipped} unchanged @@`);
    skipped = 0;
    shown.push(`${sign}${text}`);
  }
  const count = all ?? shown.length;
  if (count <= maxLines) return shown;
  return [...shown.slice(0, maxLines), `… ${count - maxLines} more lines of this diff`];
}
