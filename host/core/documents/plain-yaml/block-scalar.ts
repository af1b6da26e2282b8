import { code, unsure, type Cursor } from './cursor.ts';

const header = /[|>]-? *\n/y;

/** `|` and `>`, with `-` or without, over lines that are indented deeper than `parent`; the next line is gone to. */
export function readBlockScalar(cursor: Cursor, parent: number): unknown {
  const { text, at } = cursor;
  header.lastIndex = at;
  if (!header.test(text)) return unsure;
  const isFolded = text.charCodeAt(at) === code.folded;
  const isStripped = text.charCodeAt(at + 1) === code.dash;
  let start = header.lastIndex;
  const indent = cursor.spacesFrom(start);
  if (indent <= parent) return unsure;
  const lines: string[] = [];
  /** The number of lines up to the last that isn't empty. */
  let filled = 0;
  while (start < text.length) {
    const end = cursor.endOfLine(start);
    const spaces = cursor.spacesFrom(start);
    const isEmpty = start + spaces >= end;
    if (isEmpty && spaces > 0) return unsure;
    if (!isEmpty && spaces < indent) break;
    // Only lines that begin alike are folded together.
    if (isFolded && (spaces > indent || lines.length > filled)) return unsure;
    lines.push(text.slice(start + indent, end));
    if (!isEmpty) filled = lines.length;
    start = end + 1;
  }
  if (filled === 0) return unsure;
  cursor.goTo(start);
  const value = lines.slice(0, filled).join(isFolded ? ' ' : '\n');
  return isStripped ? value : `${value}\n`;
}
