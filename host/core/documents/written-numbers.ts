import { canonicalNumber } from './decimal.ts';
import { scanNumbers } from './scan-numbers.ts';

/**
 * JSON whose numbers pass through as they were written. JavaScript reads 1.0 as 1 and 12345678901234567890 as another
 * number; whoever the JSON was meant for may tell them apart. The parsed value is a plain one, and how a number was
 * written is remembered beside it, for as long as the object that holds it lives and the number stays the same.
 */
const written = new WeakMap<object, Map<string, string>>();
let isAnyRemembered = false;

/** Of Node 24, and not yet in TypeScript's libraries. */
const json = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
};
type Reviver = (this: object, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** A number that may be written otherwise than JavaScript writes it: a reviver takes ten times as long. */
const mayDiffer = /[[:,]\s*(?:-0|-?\d+(?:\.\d*0(?!\d)|[.\d]{15}|(?:\.\d+)?[eE]))/;

/** As `JSON.parse`; throws SyntaxError. Numbers are remembered as they were written. */
export function parseJson(text: string): unknown {
  if (!mayDiffer.test(text)) return JSON.parse(text) as unknown;
  try {
    return json.parse(text, remember);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
  }
  // A reviver takes some of the stack for each level; parsing alone takes none.
  const value: unknown = JSON.parse(text);
  scanNumbers(text, value, rememberNumber);
  return value;
}

const remember: Reviver = function (key, value, { source }) {
  if (typeof value === 'number' && source !== undefined) rememberNumber(this, key, source);
  return value;
};

/** The number at `key` of `holder` was written as `source`, which is JSON. */
export function rememberNumber(holder: object, key: string, source: string): void {
  if (source === String(Number(source))) return;
  const numbers = written.get(holder) ?? new Map<string, string>();
  written.set(holder, numbers.set(key, source));
  isAnyRemembered = true;
}

/** How the number at `key` of `holder` was written; undefined when JavaScript writes it the same way. */
export function writtenNumber(holder: object, key: string): string | undefined {
  if (!isAnyRemembered) return undefined;
  const text = written.get(holder)?.get(key);
  if (text === undefined) return undefined;
  const now = (holder as { readonly [key: string]: unknown })[key];
  return Object.is(Number(text), now) ? text : undefined;
}

/** `copy` has the members of `original`, all or some of them: their numbers are written as they were. */
export function keepWritten<T extends object>(original: object, copy: T): T {
  const numbers = isAnyRemembered ? written.get(original) : undefined;
  if (numbers) written.set(copy, new Map(numbers));
  return copy;
}

/** The members of both, those of `second` where both have one, with their numbers written as they were. */
export function mergeWritten<T extends object, U extends object>(first: T, second: U): T & U {
  const merged = keepWritten(first, { ...first, ...second });
  for (const key of Object.keys(second)) written.get(merged)?.delete(key);
  for (const [key, text] of written.get(second) ?? []) rememberNumber(merged, key, text);
  return merged;
}

/** The value at `key` as text: a number as it was written. */
export function writtenText(holder: object, key: string | number): string {
  return writtenNumber(holder, String(key)) ?? String((holder as { readonly [key: string]: unknown })[key]);
}

/** A number of a value that JavaScript reads as another one. */
export interface ChangedNumber {
  /** Where it stands: "filter.ids.0". */
  readonly path: string;
  readonly text: string;
}

/**
 * The first number in `value` that isn't what was written: a whole one beyond 2⁵³ that became another, one that is too large
 * or too small for any. Fractions are rounded everywhere, and are none. `isLeftOut`: what stands there isn't looked at.
 */
export function findChanged(
  value: unknown,
  isLeftOut: (path: readonly string[]) => boolean = () => false,
): ChangedNumber | undefined {
  return isAnyRemembered ? findIn(value, [], isLeftOut) : undefined;
}

function findIn(
  value: unknown,
  path: readonly string[],
  isLeftOut: (path: readonly string[]) => boolean,
): ChangedNumber | undefined {
  if (typeof value !== 'object' || value === null || path.length > maxDepth) return undefined;
  for (const key of Object.keys(value)) {
    const at = [...path, key];
    if (isLeftOut(at)) continue;
    const text = writtenNumber(value, key);
    if (text !== undefined && !isRepresentable(text)) return { path: at.join('.'), text };
    const found = findIn((value as { readonly [key: string]: unknown })[key], at, isLeftOut);
    if (found) return found;
  }
  return undefined;
}

/** Can JavaScript hold the number that this text of JSON says, but for a fraction's last digits? */
export function isRepresentable(text: string): boolean {
  const read = Number(text);
  if (!Number.isFinite(read)) return false;
  return (read !== 0 && Math.abs(read) <= Number.MAX_SAFE_INTEGER) || isExact(text);
}

/** Why a number that `isHeld` denies can't be kept, as the end of a sentence that begins with the number. */
export function whyNotRepresentable(text: string): string {
  const read = Number(text);
  if (!Number.isFinite(read)) return 'is too large for a number';
  return read === 0 ? 'is too small for a number' : 'has more digits than a number can keep';
}

/** Is the number the same once JavaScript has read and written it, whatever it looks like then? */
export const isExact = (text: string): boolean =>
  canonicalNumber(text) === canonicalNumber(String(Number(text)));

/** Does `value` hold a number that JavaScript has rounded, however little? */
export function holdsRounded(value: unknown, depth = 0): boolean {
  if (!isAnyRemembered || typeof value !== 'object' || value === null || depth > maxDepth) return false;
  for (const text of written.get(value)?.values() ?? []) if (!isExact(text)) return true;
  return Object.values(value).some((child) => holdsRounded(child, depth + 1));
}

/** As `JSON.stringify`, with numbers as `parseJson` found them written. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(withWritten(value), null, indent);
}

/** The value at `key` as JSON: a number as it was written. Undefined where there is none. */
export function memberJson(holder: object, key: string | number): string | undefined {
  if (!Object.hasOwn(holder, key)) return undefined;
  const value = (holder as { readonly [key: string | number]: unknown })[key];
  if (typeof value === 'number') return writtenNumber(holder, String(key)) ?? JSON.stringify(value);
  return value === undefined ? undefined : toJson(value);
}

/** What `text` says, at `key` of an object: a single number keeps how it was written there. Throws as `parseJson`. */
export function parseMember<Key extends string>(key: Key, text: string): { readonly [name in Key]: unknown } {
  const value = parseJson(text);
  const holder = { [key]: value } as { readonly [name in Key]: unknown };
  if (typeof value === 'number') rememberNumber(holder, key, text.trim());
  return holder;
}

/** What some readers of lines take for the end of one, beside those that JSON never holds as they are. */
const lineEnds = /[\u0085\u2028\u2029]/g;

/** As `JSON.stringify`, on one line whoever reads it. */
export function toJsonLine(value: unknown): string {
  const escape = (end: string): string => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${toJson(value).replaceAll(lineEnds, escape)}\n`;
}

/** The value for a `JSON.stringify` elsewhere. The same object where that writes all numbers as they were. */
export function withWritten<T>(value: T): T {
  return isAnyRemembered ? (replace(value, 0) as T) : value;
}

/** Deeper values are written as JavaScript does. */
const maxDepth = 1_000;

function replace(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  let changed: unknown[] | Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const child = (value as { readonly [key: string]: unknown })[key];
    const text = typeof child === 'number' ? writtenNumber(value, key) : undefined;
    const next = text === undefined ? replace(child, depth + 1) : json.rawJSON(text);
    if (next === child) continue;
    changed ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    Object.defineProperty(changed, key, { value: next, enumerable: true });
  }
  return changed ?? value;
}
