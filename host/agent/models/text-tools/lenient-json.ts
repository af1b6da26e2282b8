import { isExact, rememberNumber, whyNotRepresentable } from '../../../core/documents/written-numbers.ts';

/** A value as it was read. */
export interface JsonValue {
  readonly value: unknown;
  /** What the value doesn't hold of what was written, in words for the model. */
  readonly loses?: string;
}

/** A value and the index after it; "cut" when the text ends in the middle of it; undefined when it is no JSON. */
export type ReadValue = (JsonValue & { readonly end: number }) | 'cut' | undefined;

class Cut extends Error {}
class NotJson extends Error {}

/** Deeper than this is no arguments, and would overflow the stack. */
const maxDepth = 200;

/**
 * Reads one value as models write JSON: trailing commas, single quotes, keys without quotes, Python's True, False and
 * None, line breaks in strings, comments, doubled braces, backslashes that escape nothing. What is cut off is never
 * completed.
 */
export function readJson(text: string, from: number): ReadValue {
  const reader = createReader(text, from);
  try {
    const value = reader.value(0);
    const loses = reader.loses();
    const read = { value, end: reader.at(), ...(loses !== undefined && { loses }) };
    return typeof value === 'number' ? withNumbers(read, [['value', reader.digits()]]) : read;
  } catch (thrown) {
    if (thrown instanceof Cut) return 'cut';
    if (thrown instanceof NotJson) return undefined;
    throw thrown;
  }
}

/** The whole text as one value; undefined when it's broken, cut off or followed by something. */
export function parseLenient(text: string): JsonValue | undefined {
  const read = readJson(text, 0);
  return read && read !== 'cut' && text.slice(read.end).trim() === '' ? read : undefined;
}

const words: { readonly [word: string]: unknown } = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
};

interface Reader {
  value(depth: number): unknown;
  at(): number;
  loses(): string | undefined;
  /** Of the number that was read last. */
  digits(): string;
}

function createReader(text: string, from: number): Reader {
  let index = from;
  let loses: string | undefined;
  let digits = '';

  const peek = (): string => {
    if (index >= text.length) throw new Cut();
    return text[index]!;
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = index;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) index += found.length;
    return found;
  };
  const skip = (): void => {
    // A longer comment is none, so that one which is never closed isn't looked for to the end of the text each time.
    match(/(?:\s+|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]{0,400}?\*\/)*/y);
  };

  const value = (depth: number): unknown => {
    if (depth > maxDepth) throw new NotJson();
    skip();
    const first = peek();
    if (first === '{') return object(depth);
    if (first === '[') return array(depth);
    if (first === '"' || first === "'") return string();
    const number = match(/-?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y);
    if (number !== undefined) {
      // A number at the very end may go on.
      if (index >= text.length && depth > 0) throw new Cut();
      const plain = number.replaceAll('_', '');
      digits = plain;
      if (!isExact(plain)) loses = inexact(number);
      return Number(plain);
    }
    if (match(/-?\.?(?:\d[\d_]*\.?\d*[eE][+-]?)?$/y)) throw new Cut();
    const word = match(/[A-Za-z]+/y);
    if (word !== undefined && Object.hasOwn(words, word)) return words[word];
    if (index >= text.length) throw new Cut();
    throw new NotJson();
  };

  const object = (depth: number): object => {
    const entries: [string, unknown][] = [];
    const numbers: [string, string][] = [];
    index++;
    skip();
    if (peek() === '{') return doubled(depth);
    for (;;) {
      skip();
      const next = peek();
      if (next === '}') break;
      if (next === ',') {
        index++;
        continue;
      }
      const key = next === '"' || next === "'" ? string() : match(/[A-Za-z_$][\w$-]*/y);
      if (key === undefined) throw new NotJson();
      skip();
      if (peek() !== ':') throw new NotJson();
      index++;
      const member = value(depth + 1);
      entries.push([key, member]);
      if (typeof member === 'number') numbers.push([key, digits]);
      skip();
      if (peek() !== ',' && peek() !== '}') throw new NotJson();
    }
    index++;
    const twice = firstTwice(entries.map(([key]) => key));
    if (twice !== undefined) loses = saidTwice(twice);
    // Not assigned one by one: a key "__proto__" is data.
    return withNumbers(Object.fromEntries(entries), numbers);
  };

  /** `{{…}}`, as templates have braces that aren't theirs. */
  const doubled = (depth: number): object => {
    if (depth > maxDepth) throw new NotJson();
    const inner = object(depth + 1);
    skip();
    if (peek() !== '}') throw new NotJson();
    index++;
    return inner;
  };

  const array = (depth: number): unknown[] => {
    const items: unknown[] = [];
    const numbers: [string, string][] = [];
    index++;
    for (;;) {
      skip();
      const next = peek();
      if (next === ']') break;
      if (next === ',') {
        index++;
        continue;
      }
      const item = value(depth + 1);
      if (typeof item === 'number') numbers.push([String(items.length), digits]);
      items.push(item);
      skip();
      if (peek() !== ',' && peek() !== ']') throw new NotJson();
    }
    index++;
    return withNumbers(items, numbers);
  };

  const string = (): string => {
    const triple = match(/"""|'''/y);
    const quote = triple ?? text[index++]!;
    let read = '';
    for (;;) {
      const next = peek();
      if (text.startsWith(quote, index)) {
        index += quote.length;
        return read;
      }
      index++;
      read += next === '\\' ? escape() : next;
    }
  };

  const escape = (): string => {
    const letter = peek();
    const code = match(/u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}/y);
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    index++;
    const meant = escapes[letter];
    // "C:\path" and regular expressions: the backslash was meant.
    return meant ?? (/["'\\/`]/.test(letter) ? letter : `\\${letter}`);
  };

  return { value, at: () => index, loses: () => loses, digits: () => digits };
}

/** Where JSON has them too: ".5" is none. */
function withNumbers<T extends object>(
  holder: T,
  numbers: readonly (readonly [key: string, text: string])[],
): T {
  for (const [key, text] of numbers)
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) rememberNumber(holder, key, text);
  return holder;
}

const escapes: { readonly [letter: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\n': '',
};

export const saidTwice = (key: string): string => `"${key}" stands in it twice`;
const inexact = (number: string): string =>
  `${number} ${whyNotRepresentable(number.replaceAll('_', ''))}: if it is a name or an id, write it as text`;

export function firstTwice(keys: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return keys.find((key) => seen.size === seen.add(key).size);
}
