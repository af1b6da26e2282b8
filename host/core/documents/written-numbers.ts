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

/** As `JSON.parse`. */
export function parseJson(text: string): unknown {
  return mayDiffer.test(text) ? json.parse(text, remember) : (JSON.parse(text) as unknown);
}

const remember: Reviver = function (key, value, { source }) {
  if (typeof value !== 'number' || source === undefined || source === String(value)) return value;
  const numbers = written.get(this) ?? new Map<string, string>();
  written.set(this, numbers.set(key, source));
  isAnyRemembered = true;
  return value;
};

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
  if (numbers) written.set(copy, numbers);
  return copy;
}

/** As `JSON.stringify`. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(withWritten(value), null, indent);
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
const deepest = 1_000;

function replace(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
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
