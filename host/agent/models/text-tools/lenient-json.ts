import { InvalidJson, JsonReader, keepNumberTexts, TruncatedJson } from './json-reader.ts';

/** A value as it was read. */
export interface JsonValue {
  readonly value: unknown;
  /** What the value doesn't preserve of the text, in words for the model. */
  readonly loss?: string;
}

/** A value and the index after it; "cut" when the text ends in the middle of it; undefined when it isn't JSON. */
export type ReadValue = (JsonValue & { readonly end: number }) | 'cut' | undefined;

/**
 * Reads one value as models write JSON: trailing commas, single quotes, keys without quotes, Python's True, False and
 * None, line breaks in strings, comments, doubled braces, backslashes that escape nothing. Truncated values are never
 * completed.
 */
export function readJson(text: string, from: number): ReadValue {
  const reader = new JsonReader(text, from);
  try {
    const value = reader.readValue();
    const { index: end, loss } = reader;
    const read = { value, end, ...(loss !== undefined && { loss }) };
    return typeof value === 'number' ? keepNumberTexts(read, [['value', reader.numberText]]) : read;
  } catch (thrown) {
    if (thrown instanceof TruncatedJson) return 'cut';
    if (thrown instanceof InvalidJson) return undefined;
    throw thrown;
  }
}

/** The whole text as one value; undefined when it's broken, truncated or followed by something else. */
export function parseLenient(text: string): JsonValue | undefined {
  const read = readJson(text, 0);
  return read && read !== 'cut' && text.slice(read.end).trim() === '' ? read : undefined;
}
