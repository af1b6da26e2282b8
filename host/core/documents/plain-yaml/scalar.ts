import { CORE_SCHEMA } from 'js-yaml';
import { characters, code, letters, unsure, type Cursor } from './cursor.ts';

/** What a scalar without quotes may begin with; more is possible, but seldom. */
const startsPlain = characters(`${letters}0123456789_./$+(~=;^\\<`);
const afterDash = characters(`${letters}0123456789_./$-`);
/** What `true`, `false`, `null` and numbers begin with is left out. */
const startsText = characters(letters.replace(/[tfn]/gi, ''));
const inFlow = /[^\n,[\]{}:#]*/y;

/** A scalar without quotes up to the end of the line; the next line is gone to. */
export function readPlain(cursor: Cursor): unknown {
  if (!isPlain(cursor)) return unsure;
  const line = cursor.text.slice(cursor.at, cursor.endOfLine());
  const comment = line.indexOf(' #');
  const value = trimSpaces(comment < 0 ? line : line.slice(0, comment));
  if (value.includes(': ') || value.endsWith(':')) return unsure;
  cursor.nextLine();
  return resolve(value);
}

/** A scalar without quotes inside `[…]` or `{…}`. */
export function readPlainInFlow(cursor: Cursor): unknown {
  if (!isPlain(cursor)) return unsure;
  inFlow.lastIndex = cursor.at;
  inFlow.test(cursor.text);
  const value = trimSpaces(cursor.text.slice(cursor.at, inFlow.lastIndex));
  cursor.at = inFlow.lastIndex;
  return cursor.next === code.colon || cursor.next === code.hash ? unsure : resolve(value);
}

/** A text in quotes on one line, without anything in it that stands for something else. */
export function readQuoted(cursor: Cursor): unknown {
  const { text, next } = cursor;
  const start = cursor.at + 1;
  const end = text.indexOf(next === code.quote ? '"' : "'", start);
  if (end < 0) return unsure;
  const value = text.slice(start, end);
  const hasEscape = next === code.quote ? value.includes('\\') : text.charCodeAt(end + 1) === code.apostrophe;
  if (hasEscape || value.includes('\n')) return unsure;
  cursor.at = end + 1;
  return value;
}

function isPlain({ text, at, next }: Cursor): boolean {
  if (next === code.dash) return afterDash[text.charCodeAt(at + 1)] === 1;
  // What comes from U+00A0 on has been looked at with the whole text.
  return next >= 0xa0 || startsPlain[next] === 1;
}

function trimSpaces(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === code.space) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** What js-yaml makes of a scalar without quotes. */
function resolve(value: string): unknown {
  if (startsText[value.charCodeAt(0)] === 1) return value;
  // It would be a merge key.
  if (value === '<<') return unsure;
  const resolved: unknown = CORE_SCHEMA.resolveImplicitScalarTag(value).value;
  // .inf, .nan, and what may be another number than is written.
  if (typeof resolved !== 'number') return resolved;
  const isSure = resolved === 0 ? !/[1-9]/.test(value) : Math.abs(resolved) <= Number.MAX_SAFE_INTEGER;
  return isSure ? resolved : unsure;
}
