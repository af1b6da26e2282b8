import { parseJson } from 'pegboard';

type Parse = (text: string) => unknown;
/** The package's types declare a function. */
interface ListParser {
  create(text: string, parse: Parse): { parse(): unknown };
}

/**
 * Parsers that keep what the package would round: the digits of `json` and `numeric[]`, and the fractions of a
 * millisecond. By the number of the type (`select oid, typname from pg_type`).
 */
export async function valueTypes(): Promise<{ getTypeParser(oid: number, format?: string): Parse }> {
  const { types } = (await import('pg')).default;
  const lists = types.arrayParser as unknown as ListParser;
  const asText: Parse = (text) => text;
  const listOf =
    (parse: Parse): Parse =>
    (text) =>
      lists.create(text, parse).parse();
  const own = new Map<number, Parse>([
    [114, readJson],
    [3802, readJson],
    [199, listOf(readJson)],
    [3807, listOf(readJson)],
    [1231, listOf(asText)],
    // date, timestamp and timestamptz, and arrays of them.
    ...[1082, 1114, 1184].map((oid) => [oid, asText] as const),
    ...[1115, 1182, 1185].map((oid) => [oid, listOf(asText)] as const),
  ]);
  const defaultParser = types.getTypeParser as (oid: number, format?: string) => Parse;
  return {
    getTypeParser: (oid, format) =>
      (format === 'binary' ? undefined : own.get(oid)) ?? defaultParser(oid, format),
  };
}

/** A single number that would be rounded is returned as text. */
function readJson(text: string): unknown {
  const value = parseJson(text);
  return typeof value === 'number' && String(value) !== text ? text : value;
}
