/** A list or object that is being read. */
interface Place {
  readonly holder: { [key: string]: unknown } | unknown[];
  readonly end: '}' | ']';
  /** The member that is read next; of no meaning in a list. */
  key: string;
  /** Members of an object so far. */
  members: number;
}

const space = /[ \t\n\r]*/y;
const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words: readonly (readonly [text: string, value: unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

interface ReadLimits {
  readonly stride?: number;
  readonly maxDepth?: number;
  readonly maxValues?: number;
  /** Members in objects, beyond the first thousand of each. To list those takes hundreds of times as long as others. */
  readonly maxWide?: number;
}

/** It is JSON, and more of it than is read. The message goes on after "it ". */
export class TooMuchJson extends SyntaxError {}

/**
 * Reads JSON like `JSON.parse`, and stops after each `stride` characters, so that others can go on in between. Calls
 * `onNumber` for every number in a list or object, with this, its key and its source. Not recursive, so nesting can be of
 * any depth. Throws SyntaxError, and TooMuchJson beyond a limit.
 */
export function* readJson(
  text: string,
  onNumber: (holder: object, key: string | number, source: string) => void,
  { stride = Infinity, maxDepth = Infinity, maxValues = Infinity, maxWide = Infinity }: ReadLimits = {},
): Generator<undefined, unknown> {
  const outer: Place[] = [];
  let place: Place = { holder: [], end: ']', key: '', members: 0 };
  const all = place.holder;
  let at = 0;
  let pause = stride;
  const skipSpace = (): void => {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
  };
  const readText = (): string => {
    const from = at;
    if (text[at] !== '"') throw unexpected(text, at);
    at = endOfText(text, at);
    return JSON.parse(text.slice(from, at)) as string;
  };
  let wide = 0;
  const readKey = (): void => {
    if (++place.members > 1_000 && ++wide > maxWide) throw new TooMuchJson('has too many members');
    skipSpace();
    place.key = readText();
    skipSpace();
    if (text[at] !== ':') throw unexpected(text, at);
    at++;
  };
  let values = 0;
  /** Whether a list or object was opened, whose first value is next. */
  const readValue = (): boolean => {
    if (++values > maxValues) throw new TooMuchJson(`has more than ${maxValues} values`);
    skipSpace();
    const first = text[at];
    if (first === '"') add(place, readText());
    else if (first === '{' || first === '[') {
      const inner: Place =
        first === '{'
          ? { holder: {}, end: '}', key: '', members: 0 }
          : { holder: [], end: ']', key: '', members: 0 };
      add(place, inner.holder);
      at++;
      skipSpace();
      if (text[at] !== inner.end) {
        outer.push(place);
        if (outer.length > maxDepth) throw new TooMuchJson(`is nested deeper than ${maxDepth} levels`);
        place = inner;
        if (first === '{') readKey();
        return true;
      }
      at++;
    } else {
      numberForm.lastIndex = at;
      const word = words.find(([written]) => text.startsWith(written, at));
      if (word) {
        add(place, word[1]);
        at += word[0].length;
      } else if (numberForm.test(text)) {
        const source = text.slice(at, numberForm.lastIndex);
        at = numberForm.lastIndex;
        add(place, Number(source));
        if (outer.length > 0) onNumber(place.holder, keyOf(place), source);
      } else throw unexpected(text, at);
    }
    return false;
  };
  for (;;) {
    if (at >= pause) {
      pause = at + stride;
      yield;
    }
    if (readValue()) continue;
    for (skipSpace(); outer.length > 0 && text[at] === place.end; skipSpace()) {
      place = outer.pop()!;
      at++;
    }
    if (outer.length === 0) break;
    if (text[at] !== ',') throw unexpected(text, at);
    at++;
    if (place.end === '}') readKey();
  }
  if (at < text.length) throw unexpected(text, at);
  return (all as unknown[])[0];
}

const keyOf = ({ holder, key }: Place): string | number => (Array.isArray(holder) ? holder.length - 1 : key);

function add({ holder, key }: Place, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value);
  // An assignment would change the prototype.
  else if (key === '__proto__')
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
  else holder[key] = value;
}

/** The offset after the closing quote. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  throw unexpected(text, text.length);
}

function unexpected(text: string, at: number): SyntaxError {
  if (at >= text.length) return new SyntaxError('Unexpected end of JSON input');
  return new SyntaxError(`Unexpected ${JSON.stringify(text[at])} in JSON at position ${at}`);
}
