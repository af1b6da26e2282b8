/** Maximum characters of a line, and of all of them, for programs. */
export const maxTextLength = 10_000;
export const maxTotalLength = 4_000_000;
/** Maximum characters shown of a line. Minified code has lines of megabytes. */
export const maxLineLength = 500;

export interface LinesAround {
  /** Numbers of lines, from 1. */
  readonly matched: readonly number[];
  /** Lines before and after each of them. */
  readonly context: number;
}

export interface NumberedLine {
  readonly number: number;
  /** Its beginning. */
  readonly text: string;
  readonly length: number;
}

/** The lines with their surroundings, in order. Lines end in LF or CRLF. */
export function linesAround(text: string, { matched, context }: LinesAround): readonly NumberedLine[] {
  const wanted = new Set<number>();
  for (const line of matched)
    for (let near = Math.max(1, line - context); near <= line + context; near++) wanted.add(near);
  const last = Math.max(0, ...matched) + context;
  const found: NumberedLine[] = [];
  let room = maxTotalLength;
  for (let number = 1, start = 0; number <= last && start < text.length; number++) {
    const end = text.indexOf('\n', start);
    if (wanted.has(number)) {
      const stop = end < 0 ? text.length : end;
      const length = (end > start && text[end - 1] === '\r' ? stop - 1 : stop) - start;
      const shown = text.slice(start, start + Math.min(length, room > 0 ? maxTextLength : maxLineLength));
      room -= shown.length;
      found.push({ number, text: shown, length });
    }
    start = end < 0 ? text.length : end + 1;
  }
  return found;
}
