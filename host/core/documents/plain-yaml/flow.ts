import { code, unsure, type Cursor } from './cursor.ts';
import { readKey } from './key.ts';
import { readPlainInFlow, readQuoted } from './scalar.ts';

/** Does a text in quotes, a `[…]` or a `{…}` begin with this character? */
export function isDelimiter(first: number): boolean {
  return (
    first === code.quote || first === code.apostrophe || first === code.openList || first === code.openMap
  );
}

/** What begins with a delimiter; it must end on the same line. `depth` levels may still be nested. */
export function readDelimited(cursor: Cursor, depth: number): unknown {
  const { next } = cursor;
  if (next === code.quote || next === code.apostrophe) return readQuoted(cursor);
  if (depth === 0) return unsure;
  cursor.at++;
  return next === code.openList ? readList(cursor, depth - 1) : readMap(cursor, depth - 1);
}

function readList(cursor: Cursor, depth: number): unknown {
  const items: unknown[] = [];
  if (endsAt(cursor, code.closeList)) return items;
  for (;;) {
    const item = readValue(cursor, depth);
    if (item === unsure) return unsure;
    items.push(item);
    if (endsAt(cursor, code.closeList)) return items;
    if (cursor.next !== code.comma) return unsure;
    cursor.at++;
  }
}

function readMap(cursor: Cursor, depth: number): unknown {
  const map: Record<string, unknown> = {};
  if (endsAt(cursor, code.closeMap)) return map;
  for (;;) {
    cursor.skipSpaces();
    const key = readKey(cursor);
    if (key === undefined || Object.hasOwn(map, key)) return unsure;
    const value = readValue(cursor, depth);
    if (value === unsure) return unsure;
    map[key] = value;
    if (endsAt(cursor, code.closeMap)) return map;
    if (cursor.next !== code.comma) return unsure;
    cursor.at++;
  }
}

function readValue(cursor: Cursor, depth: number): unknown {
  return isDelimiter(cursor.skipSpaces()) ? readDelimited(cursor, depth) : readPlainInFlow(cursor);
}

/** Takes the closing bracket when it comes next. */
function endsAt(cursor: Cursor, close: number): boolean {
  if (cursor.skipSpaces() !== close) return false;
  cursor.at++;
  return true;
}
