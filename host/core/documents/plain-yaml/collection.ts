import { readBlockScalar } from './block-scalar.ts';
import { code, unsure, type Cursor } from './cursor.ts';
import { isDelimiter, readDelimited } from './flow.ts';
import { endOfKey, readKey } from './key.ts';
import { readPlain } from './scalar.ts';

/** The keys from here on that are indented alike, with their values; `depth` levels may still be nested. */
export function readMap(cursor: Cursor, indent: number, depth: number): unknown {
  const map: Record<string, unknown> = {};
  do {
    const key = readKey(cursor);
    if (key === undefined || Object.hasOwn(map, key)) return unsure;
    const value = readValueOfKey(cursor, indent, depth);
    if (value === unsure) return unsure;
    map[key] = value;
  } while (cursor.indent === indent);
  return cursor.indent > indent ? unsure : map;
}

function readList(cursor: Cursor, indent: number, depth: number): unknown {
  const items: unknown[] = [];
  do {
    const dashAt = cursor.at++;
    cursor.skipSpaces();
    const item =
      endOfKey(cursor) < 0 ? readLine(cursor, depth) : readMapOfItem(cursor, indent - dashAt, depth);
    if (item === unsure) return unsure;
    items.push(item);
  } while (cursor.indent === indent && isItem(cursor));
  return cursor.indent > indent ? unsure : items;
}

/** A map that begins on the line of its dash; its other keys stand below the first. */
function readMapOfItem(cursor: Cursor, lineStart: number, depth: number): unknown {
  return depth === 0 ? unsure : readMap(cursor, lineStart + cursor.at, depth - 1);
}

function readValueOfKey(cursor: Cursor, indent: number, depth: number): unknown {
  const first = cursor.skipSpaces();
  if (first === code.literal || first === code.folded) return readBlockScalar(cursor, indent);
  const isBelow = first === code.lineEnd || first === code.hash || cursor.at === cursor.text.length;
  if (!isBelow) return readLine(cursor, depth);
  cursor.nextLine();
  const isList = cursor.indent >= indent && isItem(cursor);
  if (cursor.indent <= indent && !isList) return null;
  if (depth === 0) return unsure;
  return isList ? readList(cursor, cursor.indent, depth - 1) : readMap(cursor, cursor.indent, depth - 1);
}

function isItem({ text, at, next }: Cursor): boolean {
  return next === code.dash && text.charCodeAt(at + 1) === code.space;
}

/** A value that ends on its line; the next line is gone to. */
function readLine(cursor: Cursor, depth: number): unknown {
  if (!isDelimiter(cursor.next)) return readPlain(cursor);
  const value = readDelimited(cursor, depth);
  if (value === unsure) return unsure;
  const end = cursor.at;
  const next = cursor.skipSpaces();
  const isComment = next === code.hash && cursor.at > end;
  if (next !== code.lineEnd && !isComment && cursor.at < cursor.text.length) return unsure;
  cursor.nextLine();
  return value;
}
