import { margin } from '../../core/foreign/shown-question.ts';
import type { Surface } from './terminal.ts';
import { columnsOf } from './width.ts';

/** In front of the continuation of a line that was too long for the terminal. */
const continued = '┇ ';

/**
 * Foreign lines, each behind a margin that nothing in them can leave, not even a line that is wider than the terminal.
 */
export function withMargin(
  lines: readonly string[],
  { width, style }: Pick<Surface, 'width' | 'style'>,
  paint: (text: string) => string = style.title,
): readonly string[] {
  const room = Math.max(10, width - margin.length);
  return lines.flatMap((line) =>
    cutAt(line.replaceAll('\t', '    '), room).map(
      (part, at) => `${style.quiet(at === 0 ? margin : continued)}${paint(part)}`,
    ),
  );
}

/** The question, and where the `lines` above it don't all fit the terminal, a line below it that says so. */
export function withLength(question: string, lines: number, { stream }: Pick<Surface, 'stream'>): string {
  const choices = 8;
  if (lines + choices <= (stream.rows ?? 24)) return question;
  return `${question}\n${lines} lines: read them from the top before you answer.`;
}

function cutAt(line: string, columns: number): readonly string[] {
  if (line.length * 2 <= columns) return [line];
  const parts = [''];
  let used = 0;
  for (const character of line) {
    const needed = columnsOf(character);
    if (used + needed > columns) {
      parts.push('');
      used = 0;
    }
    parts[parts.length - 1] += character;
    used += needed;
  }
  return parts;
}
