import { canonicalNumber } from './decimal.ts';
import { readJson } from './json/read-json.ts';

/**
 * JSON whose numbers are written as they were read. JavaScript reads 1.0 as 1 and 12345678901234567890 as another
 * number, but the receiver of the JSON may distinguish them. The parsed value is a normal one, and the source of a
 * number is remembered as long as its object lives and the number is unchanged.
 */
const written = new WeakMap<object, Sources>();
let isAnyRemembered = false;

/** By the keys of their holder; those of a list are a list too, which grows faster than anything else. */
type Sources = { [key: string | number]: string | undefined };

/** Available in Node 24, but missing from TypeScript's libraries. */
const json = JSON as unknown as { rawJSON(text: string): unknown };

/** A number that JavaScript may write differently. Checked first, because our own reading takes several times as long. */
const mayDiffer = /[[:,]\s*(?:-0|-?\d+(?:\.\d*0(?!\d)|[.\d]{15}|(?:\.\d+)?[eE]))/;

/** Like `JSON.parse`, throws SyntaxError. Remembers how numbers were written. */
export function parseJson(text: string): unknown {
  if (!mayDiffer.test(text)) return JSON.parse(text);
  try {
    return readJson(text, rememberNumber).next().value;
  } catch {
    // Mistakes have the same words in every text.
    return JSON.parse(text);
  }
}

/** Undefined for a text that is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Records that the number at `key` of `holder` was written as `source`, which is JSON. */
export function rememberNumber(holder: object, key: string | number, source: string): void {
  const isSame = source === String(Number(source));
  if (isSame && !isAnyRemembered) return;
  const sources = written.get(holder);
  // Of members with the same name the last one counts.
  if (isSame && sources?.[key] !== undefined) sources[key] = undefined;
  if (isSame) return;
  if (sources) sources[key] = source;
  else written.set(holder, sourcesWith(holder, { [key]: source }));
  isAnyRemembered = true;
}

const sourcesWith = (holder: object, sources: Sources): Sources =>
  Object.assign(
    Array.isArray(holder) ? ([] as unknown as Sources) : (Object.create(null) as Sources),
    sources,
  );

/** The source of the number at `key` of `holder`. Undefined if JavaScript writes it the same way. */
export function writtenNumber(holder: object, key: string | number): string | undefined {
  if (!isAnyRemembered) return undefined;
  const text = written.get(holder)?.[key];
  if (text === undefined) return undefined;
  const now = (holder as { readonly [key: string | number]: unknown })[key];
  return Object.is(Number(text), now) ? text : undefined;
}

/** `copy` has some or all members of `original`: their numbers keep their sources. */
export function keepWritten<T extends object>(original: object, copy: T): T {
  const sources = isAnyRemembered ? written.get(original) : undefined;
  if (sources) written.set(copy, sourcesWith(copy, sources));
  return copy;
}

/** The members of both, with `second` taking precedence. Numbers keep their sources. */
export function mergeWritten<T extends object, U extends object>(first: T, second: U): T & U {
  const merged = keepWritten(first, { ...first, ...second });
  const sources = written.get(merged);
  if (sources) for (const key of Object.keys(second)) delete sources[key];
  for (const [key, text] of Object.entries(written.get(second) ?? {}))
    if (text !== undefined) rememberNumber(merged, key, text);
  return merged;
}

/** The value at `key` as text: a number as it was written. */
export function writtenText(holder: object, key: string | number): string {
  return writtenNumber(holder, String(key)) ?? String((holder as { readonly [key: string]: unknown })[key]);
}

/** A number in a value that JavaScript reads as a different one. */
export interface ChangedNumber {
  /** Its path: "filter.ids.0". */
  readonly path: string;
  readonly text: string;
}

/**
 * The first number in `value` that has changed: an integer beyond 2⁵³ that became another one, or a number that is out
 * of range. Rounded fractions don't count. `isLeftOut`: parts to ignore.
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

/** Whether JavaScript can represent this JSON number, except for the last digits of a fraction. */
export function isRepresentable(text: string): boolean {
  const read = Number(text);
  if (!Number.isFinite(read)) return false;
  return (read !== 0 && Math.abs(read) <= Number.MAX_SAFE_INTEGER) || isExact(text);
}

/** Why a number that is not representable is refused, as the end of a sentence that begins with the number. */
export function whyNotRepresentable(text: string): string {
  const read = Number(text);
  if (!Number.isFinite(read)) return 'is too large for a number';
  return read === 0 ? 'is too small for a number' : 'has more digits than a number can keep';
}

/** Whether the number keeps its value when JavaScript reads and writes it, in whatever notation. */
export const isExact = (text: string): boolean =>
  canonicalNumber(text) === canonicalNumber(String(Number(text)));

/** Whether `value` contains a number that JavaScript has rounded at all. */
export function hasRoundedNumber(value: unknown, depth = 0): boolean {
  if (!isAnyRemembered || typeof value !== 'object' || value === null || depth > maxDepth) return false;
  for (const text of Object.values(written.get(value) ?? {}))
    if (text !== undefined && !isExact(text)) return true;
  return Object.values(value).some((child) => hasRoundedNumber(child, depth + 1));
}

/** The value, with a text in place of each number that JavaScript would change, such as a long id. */
export const withExactNumbers = (value: unknown): unknown =>
  hasRoundedNumber(value) ? parseJson(JSON.stringify(value, asText)) : value;

function asText(this: object, key: string, value: unknown): unknown {
  const text = typeof value === 'number' ? writtenNumber(this, key) : undefined;
  return text !== undefined && !isRepresentable(text) ? text : value;
}

/** Like `JSON.stringify`, with numbers as `parseJson` read them. */
export function toJson(value: unknown, indent?: number | string): string {
  return JSON.stringify(withWritten(value), null, indent);
}

/** The value at `key` as JSON: a number as it was written. Undefined if there is none. */
export function memberJson(holder: object, key: string | number): string | undefined {
  if (!Object.hasOwn(holder, key)) return undefined;
  const value = (holder as { readonly [key: string | number]: unknown })[key];
  if (typeof value === 'number') return writtenNumber(holder, String(key)) ?? JSON.stringify(value);
  return value === undefined ? undefined : toJson(value);
}

/** The value of `text`, as member `key` of an object: a single number keeps its source. Throws like `parseJson`. */
export function parseMember<Key extends string>(key: Key, text: string): { readonly [name in Key]: unknown } {
  const value = parseJson(text);
  const holder = { [key]: value } as { readonly [name in Key]: unknown };
  if (typeof value === 'number') rememberNumber(holder, key, text.trim());
  return holder;
}

/** Characters that some line readers treat as line ends, beyond those that JSON escapes. */
const lineEnds = /[\u0085\u2028\u2029]/g;

/** Like `JSON.stringify`, on a single line for every reader. */
export function toJsonLine(value: unknown): string {
  const escape = (end: string): string => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${toJson(value).replaceAll(lineEnds, escape)}\n`;
}

/** The value for a `JSON.stringify` elsewhere. The same object if that writes all numbers unchanged. */
export function withWritten<T>(value: T): T {
  return isAnyRemembered ? (replace(value, 0) as T) : value;
}

/** Numbers nested deeper than this are written by JavaScript's rules. */
const maxDepth = 1_000;

function replace(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  const isRemembered = written.has(value);
  const nextOf = (child: unknown, key: string | number): unknown => {
    if (typeof child === 'object') return replace(child, depth + 1);
    const text = isRemembered && typeof child === 'number' ? writtenNumber(value, key) : undefined;
    return text === undefined ? child : json.rawJSON(text);
  };
  if (Array.isArray(value)) {
    let list: unknown[] | undefined;
    for (const [index, child] of (value as unknown[]).entries()) {
      const next = nextOf(child, index);
      if (next !== child) (list ??= [...(value as unknown[])])[index] = next;
    }
    return list ?? value;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, child] of Object.entries(value)) {
    const next = nextOf(child, key);
    if (next === child) continue;
    changed ??= { ...value };
    Object.defineProperty(changed, key, { value: next, enumerable: true });
  }
  return changed ?? value;
}
