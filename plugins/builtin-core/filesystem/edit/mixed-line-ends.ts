import { countFound, type Replacement } from './count-found.ts';

/**
 * Replaces text in a file in which some lines end in CRLF and some in LF. `from` and `to` are written with LF, which
 * matches both; a line that stays keeps its end, and a new one gets that of the line before it. Throws PEG_TOOL_FAILED.
 */
export function replaceMixed(
  path: string,
  text: string,
  replacement: Replacement,
): { readonly text: string; readonly replaced: number } {
  const { from, to } = replacement;
  const plain = text.replaceAll('\r\n', '\n');
  const replaced = countFound(path, plain, replacement);
  const toOffset = offsets(text);
  const parts: string[] = [];
  let end = 0;
  for (let at = plain.indexOf(from); at >= 0; at = plain.indexOf(from, at + from.length)) {
    const start = toOffset(at);
    parts.push(text.slice(end, start));
    end = toOffset(at + from.length);
    parts.push(withLineEnds(from, to, text.slice(start, end).match(/\r?\n/g) ?? [lineEndAt(text, start)]));
  }
  return { text: parts.join('') + text.slice(end), replaced };
}

/** From an offset in the text with LF to the one in the text itself. Called with growing offsets. */
function offsets(text: string): (plain: number) => number {
  let shift = 0;
  let next = text.indexOf('\r\n');
  return (plain) => {
    while (next >= 0 && next - shift < plain) {
      shift++;
      next = text.indexOf('\r\n', next + 2);
    }
    return plain + shift;
  };
}

/** `ends` are those of the lines of `from`, or else that of the line around it. */
function withLineEnds(from: string, to: string, ends: readonly string[]): string {
  const [before, after] = [from.split('\n'), to.split('\n')];
  let same = 0;
  while (same < Math.min(before.length, after.length) && before.at(-1 - same) === after.at(-1 - same)) same++;
  const added = after.length - before.length;
  const endOf = (line: number): string =>
    ends[line >= after.length - same ? line - added : Math.min(line, ends.length - 1)] ?? ends.at(-1)!;
  return after.map((line, index) => (index < after.length - 1 ? line + endOf(index) : line)).join('');
}

/** Of the line at the offset; of the last line, that of the one before it. */
function lineEndAt(text: string, offset: number): string {
  const next = text.indexOf('\n', offset);
  const at = next < 0 ? text.lastIndexOf('\n', offset) : next;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}
