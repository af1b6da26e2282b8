import { isExact, rememberNumber, whyNotRepresentable } from '../../../core/documents/written-numbers.ts';

/** The text ends in the middle of a value. */
export class TruncatedJson extends Error {}
export class InvalidJson extends Error {}

/** Deeper nesting is never arguments, and would overflow the stack. */
const maxDepth = 200;

const words: { readonly [word: string]: unknown } = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
};

const escapes: { readonly [letter: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\n': '',
};

/** The written form of each number in an object or array, by key. */
type NumberTexts = (readonly [key: string, text: string])[];

/**
 * Recursive descent over JSON as models write it. Throws TruncatedJson or InvalidJson; truncated values are never
 * completed.
 */
export class JsonReader {
  readonly #text: string;
  #index: number;
  #loss: string | undefined;
  #numberText = '';

  constructor(text: string, from: number) {
    this.#text = text;
    this.#index = from;
  }

  /** Index after what was read. */
  get index(): number {
    return this.#index;
  }

  /** What the values don't preserve of the text, in words for the model. */
  get loss(): string | undefined {
    return this.#loss;
  }

  /** The last number as written, without underscores. */
  get numberText(): string {
    return this.#numberText;
  }

  readValue(depth = 0): unknown {
    if (depth > maxDepth) throw new InvalidJson();
    this.#skipSpace();
    const first = this.#peek();
    if (first === '{') return this.#readObject(depth);
    if (first === '[') return this.#readArray(depth);
    if (first === '"' || first === "'") return this.#readString();
    const number = this.#match(/-?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y);
    if (number !== undefined) return this.#toNumber(number, depth);
    if (this.#match(/-?\.?(?:\d[\d_]*\.?\d*[eE][+-]?)?$/y)) throw new TruncatedJson();
    const word = this.#match(/[A-Za-z]+/y);
    if (word !== undefined && Object.hasOwn(words, word)) return words[word];
    throw this.#index >= this.#text.length ? new TruncatedJson() : new InvalidJson();
  }

  #toNumber(written: string, depth: number): number {
    // A nested number at the very end of the text may be cut off.
    if (this.#index >= this.#text.length && depth > 0) throw new TruncatedJson();
    const plain = written.replaceAll('_', '');
    this.#numberText = plain;
    if (!isExact(plain)) {
      const why = whyNotRepresentable(plain);
      this.#loss = `${written} ${why}: if it is a name or an id, write it as text`;
    }
    return Number(plain);
  }

  #readObject(depth: number): object {
    const entries: [string, unknown][] = [];
    const numbers: NumberTexts = [];
    this.#index++;
    this.#skipSpace();
    if (this.#peek() === '{') return this.#readDoubledBraces(depth);
    while (!this.#atEndOf('}')) {
      const key = this.#readKey();
      const member = this.readValue(depth + 1);
      entries.push([key, member]);
      if (typeof member === 'number') numbers.push([key, this.#numberText]);
      this.#expectSeparator('}');
    }
    const duplicate = firstDuplicate(entries.map(([key]) => key));
    if (duplicate !== undefined) this.#loss = duplicateKeyMessage(duplicate);
    // Object.fromEntries, not assignment: a key "__proto__" is data.
    return keepNumberTexts(Object.fromEntries(entries), numbers);
  }

  #readKey(): string {
    const first = this.#peek();
    const key = first === '"' || first === "'" ? this.#readString() : this.#match(/[A-Za-z_$][\w$-]*/y);
    if (key === undefined) throw new InvalidJson();
    this.#skipSpace();
    if (this.#peek() !== ':') throw new InvalidJson();
    this.#index++;
    return key;
  }

  /** `{{…}}`: models copy the escaped braces of templates. */
  #readDoubledBraces(depth: number): object {
    if (depth > maxDepth) throw new InvalidJson();
    const inner = this.#readObject(depth + 1);
    this.#skipSpace();
    if (this.#peek() !== '}') throw new InvalidJson();
    this.#index++;
    return inner;
  }

  #readArray(depth: number): unknown[] {
    const items: unknown[] = [];
    const numbers: NumberTexts = [];
    this.#index++;
    while (!this.#atEndOf(']')) {
      const item = this.readValue(depth + 1);
      if (typeof item === 'number') numbers.push([String(items.length), this.#numberText]);
      items.push(item);
      this.#expectSeparator(']');
    }
    return keepNumberTexts(items, numbers);
  }

  /** Skips stray commas; consumes the closing bracket and returns true when it is next. */
  #atEndOf(closing: '}' | ']'): boolean {
    for (;;) {
      this.#skipSpace();
      const next = this.#peek();
      if (next !== ',' && next !== closing) return false;
      this.#index++;
      if (next === closing) return true;
    }
  }

  #expectSeparator(closing: '}' | ']'): void {
    this.#skipSpace();
    const next = this.#peek();
    if (next !== ',' && next !== closing) throw new InvalidJson();
  }

  #readString(): string {
    const quote = this.#match(/"""|'''/y) ?? this.#text[this.#index++]!;
    let read = '';
    for (;;) {
      const next = this.#peek();
      if (this.#text.startsWith(quote, this.#index)) {
        this.#index += quote.length;
        return read;
      }
      this.#index++;
      read += next === '\\' ? this.#readEscape() : next;
    }
  }

  #readEscape(): string {
    const letter = this.#peek();
    const code = this.#match(/u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}/y);
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    this.#index++;
    // "C:\path" and regular expressions: the backslash is part of the text.
    return escapes[letter] ?? (/["'\\/`]/.test(letter) ? letter : `\\${letter}`);
  }

  #peek(): string {
    if (this.#index >= this.#text.length) throw new TruncatedJson();
    return this.#text[this.#index]!;
  }

  /** `pattern` must be sticky. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#index;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#index += found.length;
    return found;
  }

  /** Comments included. Their length is bounded, so that one that is never closed costs no search to the end of the text. */
  #skipSpace(): void {
    this.#match(/(?:\s+|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]{0,400}?\*\/)*/y);
  }
}

/** Only numbers that are valid JSON as written: ".5" isn't. */
export function keepNumberTexts<T extends object>(holder: T, numbers: Readonly<NumberTexts>): T {
  for (const [key, text] of numbers)
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) rememberNumber(holder, key, text);
  return holder;
}

export const duplicateKeyMessage = (key: string): string => `"${key}" is given twice`;

export function firstDuplicate(keys: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return keys.find((key) => seen.size === seen.add(key).size);
}
