import type { CustomTypesConfig } from 'pg';

/** Numbers of types: `select oid, typname from pg_type`. */
const bool = 16;
const bytea = 17;
const int8 = 20;
const numeric = 1700;

/** Values as SQLite returns them, so that the same code can use both. */
const parsers: { readonly [oid: number]: (text: string) => unknown } = {
  [bool]: (text) => (text === 't' ? 1 : 0),
  // Of its own memory: a Buffer shares the memory of others.
  [bytea]: (text) => Uint8Array.from(Buffer.from(text.slice('\\x'.length), 'hex')),
  [int8]: toSafeInteger,
  [numeric]: (text) => (text.includes('.') ? Number(text) : toSafeInteger(text)),
};

/** Node's SQLite throws as well for what JavaScript can't represent. */
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is too large to be represented as a JavaScript number.`);
}

/** `others`: the parsers of the package. */
export const valueTypes = (others: CustomTypesConfig): CustomTypesConfig => ({
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers[oid]) ??
    others.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
});

/** Postgres can't store the character 0 in a text. */
export function toParameter(value: unknown, redact: (text: string) => string): unknown {
  return typeof value === 'string' ? redact(value).replaceAll('\0', '\uFFFD') : value;
}
