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
  const a = before.split('\n');
  const b = after.split('\n');
  const shared = Math.min(a.length, b.length);
  let start = 0;
  while (start < shared && a[start] === b[start]) start++;
  let end = 0;
  while (end < shared - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;

  const from = Math.max(0, start - contextLines);
  const lines: Line[] = [
    ...a.slice(from, start).map((text): Line => [' ', text]),
    ...compare(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end, a.length - end + contextLines).map((text): Line => [' ', text]),
  ];
  return [`@@ line ${from + 1} @@`, ...shorten(lines, maxLines)].join('\n');
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  // Node's own fails for two empty lists.
  if (before.length + after.length === 0) return [];
  if (before.length + after.length > maxCompared) {
    return [...before.map((text): Line => ['-', text]), ...after.map((text): Line => ['+', text])];
  }
  return diff(before, after).map(([side, text]): Line => [side === 0 ? ' ' : side > 0 ? '-' : '+', text]);
}

/** Removes unchanged lines between changes, then lines beyond the limit. */
function shorten(lines: readonly Line[], maxLines: number): string[] {
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
  if (shown.length <= maxLines) return shown;
  return [...shown.slice(0, maxLines), `… ${shown.length - maxLines} more lines of this diff`];
}
