import { diff } from 'node:util';

/** Lines of a preview. */
const usualLines = 60;
/** Beyond this, comparing line by line takes too long: the whole middle counts as replaced. */
const mostCompared = 1_500;
const around = 2;

type Line = readonly [sign: ' ' | '-' | '+', text: string];

/** What changes from `before` to `after`, as a unified diff without a header. What is longer is cut, and says so. */
export function diffOf(
  before: string,
  after: string,
  { mostLines = usualLines }: { readonly mostLines?: number } = {},
): string {
  const a = before.split('\n');
  const b = after.split('\n');
  const shared = Math.min(a.length, b.length);
  let start = 0;
  while (start < shared && a[start] === b[start]) start++;
  let end = 0;
  while (end < shared - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;

  const from = Math.max(0, start - around);
  const lines: Line[] = [
    ...a.slice(from, start).map((text): Line => [' ', text]),
    ...compare(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end, a.length - end + around).map((text): Line => [' ', text]),
  ];
  return [`@@ line ${from + 1} @@`, ...shorten(lines, mostLines)].join('\n');
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length + after.length > mostCompared) {
    return [...before.map((text): Line => ['-', text]), ...after.map((text): Line => ['+', text])];
  }
  return diff(before, after).map(([side, text]): Line => [side === 0 ? ' ' : side > 0 ? '-' : '+', text]);
}

/** Leaves out what is unchanged between two changes, then what is too much. */
function shorten(lines: readonly Line[], mostLines: number): string[] {
  const shown: string[] = [];
  let skipped = 0;
  for (const [index, [sign, text]] of lines.entries()) {
    const near = lines
      .slice(Math.max(0, index - around), index + around + 1)
      .some(([other]) => other !== ' ');
    if (!near && lines.length > 3 * around) {
      skipped++;
      continue;
    }
    if (skipped > 0) shown.push(`@@ ${skipped} unchanged @@`);
    skipped = 0;
    shown.push(`${sign}${text}`);
  }
  if (shown.length <= mostLines) return shown;
  return [...shown.slice(0, mostLines), `… ${shown.length - mostLines} more lines of this diff`];
}
