import type { Pair } from './request-example.ts';

const variable = String.raw`\{\{[^{}]*\}\}`;
/** A character that isn't one of these, or a whole `{{name}}`, in which they mean nothing. */
const but = (ends: string): string => `(?:${variable}|(?!${variable})[^${ends}])`;
const addressAndSearch = new RegExp(`^(${but('?#')}*)(?:\\?(${but('#')}*))?`);
const pieces = new RegExp(`${but('&')}+`, 'g');
const nameAndValue = new RegExp(`^(${but('=')}+)=(.*)$`, 's');

/** A URL without its fragment. */
export function splitSearch(url: string): { readonly address: string; readonly search: string } {
  const [, address = '', search = ''] = addressAndSearch.exec(url)!;
  return { address, search };
}

/** What is between the `&` of a query or form. */
export const piecesOf = (text: string): readonly string[] => text.match(pieces) ?? [];

/** The pairs of a form; undefined for a text that would be another one when it is written again. */
export function readForm(text: string): readonly Pair[] | undefined {
  const pairs = piecesOf(text).map(readPair);
  return /^&|&&|&$/.test(text) || pairs.includes(undefined) ? undefined : (pairs as readonly Pair[]);
}

/** "a=b%20c" → a, "b c". */
export function readPair(text: string): Pair | undefined {
  const [, ...parts] = nameAndValue.exec(text) ?? [];
  const [name, value] = parts.map((part) => decodeText(part, ' '));
  return name === undefined || value === undefined ? undefined : { name, value };
}

/**
 * What a percent-encoded text says, apart from its `{{name}}`; undefined for a text that isn't encoded so. `plus`: what a +
 * stands for, in a query a blank.
 */
export function decodeText(text: string, plus = '+'): string | undefined {
  const parts = text.split(new RegExp(`(${variable})`));
  try {
    const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', plus));
    return parts.map((part, index) => (index % 2 === 1 ? part : decode(part))).join('');
  } catch {
    return undefined;
  }
}
