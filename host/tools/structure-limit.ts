import type { JsonObject, ToolResult } from '../api/result.ts';
import { keepWritten } from '../core/documents/written-numbers.ts';

/** Maximum characters of the structured content of a built-in tool. Programs get as much. */
export const maxStructureLength = 4_000_000;

/**
 * Cuts structured content that has more characters than `limit`: first the ends of its longest strings, then the ends
 * of its longest lists. `truncated: true` says so. Structures of other sources pass unchanged, so this is for built-in
 * tools. The same result if nothing is cut.
 */
export function limitStructure(result: ToolResult, limit: number): ToolResult {
  const { structured } = result;
  if (!isObject(structured) || measure(structured).total <= limit) return result;
  return {
    ...result,
    structured: cutToFit(keepWritten(structured, { ...structured, truncated: true }), limit),
  };
}

function cutToFit(structure: JsonObject, limit: number): JsonObject {
  let fitting = structure;
  for (;;) {
    const { total, strings, longestList } = measure(fitting);
    if (total <= limit) return fitting;
    const others = total - sum(strings);
    // A list of small items is too long before any of its strings is.
    const cutsLists = others > limit / 2 && longestList > 1;
    const maxItems = cutsLists ? Math.floor((longestList * limit) / (2 * others)) : longestList;
    const maxLength = cutsLists ? Number.POSITIVE_INFINITY : lengthThatFits(strings, limit - others);
    const next = cut(fitting, { maxItems, maxLength }) as JsonObject;
    if (measure(next).total >= total) return next;
    fitting = next;
  }
}

interface Measured {
  /** Characters of JSON, without escapes. */
  readonly total: number;
  readonly strings: readonly number[];
  readonly longestList: number;
}

function measure(value: unknown): Measured {
  const strings: number[] = [];
  let others = 0;
  let longestList = 0;
  const visit = (each: unknown): void => {
    if (typeof each === 'string') {
      strings.push(each.length);
      others += 3;
    } else if (Array.isArray(each)) {
      longestList = Math.max(longestList, each.length);
      others += 3;
      for (const item of each) visit(item);
    } else if (typeof each === 'object' && each !== null) {
      others += 3;
      for (const [key, item] of Object.entries(each)) {
        others += key.length + 3;
        visit(item);
      }
    } else others += String(each).length + 1;
  };
  visit(value);
  return { total: others + sum(strings), strings, longestList };
}

/** The length to which strings are cut so that all of them together have at most `room` characters. */
function lengthThatFits(strings: readonly number[], room: number): number {
  const ascending = strings.toSorted((a, b) => a - b);
  let left = Math.max(0, room);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

interface Lengths {
  readonly maxItems: number;
  readonly maxLength: number;
}

function cut(value: unknown, lengths: Lengths): unknown {
  if (typeof value === 'string') return cutText(value, lengths.maxLength);
  if (Array.isArray(value))
    return keepWritten(
      value,
      value.slice(0, lengths.maxItems).map((item) => cut(item, lengths)),
    );
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, item]) => [key, cut(item, lengths)] as const);
  return keepWritten(value, Object.fromEntries(members));
}

/** Never ends in half a character. */
function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
