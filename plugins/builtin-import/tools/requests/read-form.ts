import type { Pair } from './request-example.ts';

/** The pairs of a form; undefined for a text that would be another one when it is written again. */
export function readForm(text: string): readonly Pair[] | undefined {
  if (text === '') return [];
  const pairs = text.split('&').map(readPair);
  return pairs.includes(undefined) ? undefined : (pairs as readonly Pair[]);
}

/** "a=b%20c" → a, "b c". */
export function readPair(text: string): Pair | undefined {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    return name === undefined ? undefined : { name: decode(name), value: decode(value!) };
  } catch {
    return undefined;
  }
}
