import { characters, code, letters, type Cursor } from './cursor.ts';

const startsKey = characters(`${letters}_$`);
const inKey = characters(`${letters}0123456789_.$/- `);
/** YAML refuses keys beyond 1,024 characters. */
const maxLength = 256;
/** Keys that js-yaml makes a value of before it makes them a key. */
const valueKey = /^(?:true|false|null)$/i;

/** One text for each key, which makes finding its place in a map three times faster. */
const known = new Map<string, string>();
const maxKnown = 1_000;

/** Takes `key:`; undefined when something else stands there. */
export function readKey(cursor: Cursor): string | undefined {
  const end = endOfKey(cursor);
  if (end < 0) return undefined;
  const key = cursor.text.slice(cursor.at, end);
  cursor.at = end + 1;
  const same = known.get(key);
  if (same !== undefined) return same;
  if (valueKey.test(key)) return undefined;
  if (known.size < maxKnown) known.set(key, key);
  return key;
}

/** Where the colon of a key stands that begins here; -1 when none does. */
export function endOfKey({ text, at }: Cursor): number {
  if (startsKey[text.charCodeAt(at)] !== 1) return -1;
  let end = at + 1;
  while (inKey[text.charCodeAt(end)] === 1) end++;
  if (text.charCodeAt(end) !== code.colon || text.charCodeAt(end - 1) === code.space) return -1;
  if (end - at > maxLength) return -1;
  const next = text.charCodeAt(end + 1);
  return next === code.space || next === code.lineEnd || end + 1 === text.length ? end : -1;
}
