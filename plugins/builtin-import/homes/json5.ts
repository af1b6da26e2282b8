const maxDepth = 64;
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
};
const number = /[+-]?(?:0x[\da-f]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/iy;
const name = /[\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$\u200c\u200d]*/uy;
const space = /(?:\s|\uFEFF|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y;

/** Reads JSON5 (https://spec.json5.org). Objects have no prototype. Throws a SyntaxError with the line. */
export function parseJson5(text: string): unknown {
  let at = 0;
  const fail = (what: string): never => {
    throw new SyntaxError(`${what} at line ${text.slice(0, at).split('\n').length}`);
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const skip = (): string => (match(space), text[at] ?? '');
  const expect = (character: string): void => {
    if (skip() !== character) fail(`"${character}" is missing`);
    at++;
  };

  const string = (): string => {
    const quote = text[at++]!;
    let value = '';
    for (;;) {
      const character = text[at++];
      if (character === undefined || character === '\n' || character === '\r')
        return fail('a string is not closed');
      if (character === quote) return value;
      value += character === '\\' ? escaped() : character;
    }
  };
  const escaped = (): string => {
    const character = text[at++] ?? '';
    if (character === '\r' && text[at] === '\n') at++;
    if (/[\n\r\u2028\u2029]/.test(character)) return '';
    if (character !== 'x' && character !== 'u') return escapes[character] ?? character;
    const digits = text.slice(at, at + (character === 'x' ? 2 : 4));
    if (!/^(?:[\da-f]{2}|[\da-f]{4})$/i.test(digits)) return fail('an invalid escape');
    at += digits.length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  };
  /** Members up to the closing bracket, with commas between them and maybe after the last one. */
  const members = (end: string, read: () => void): void => {
    at++;
    while (skip() !== end) {
      read();
      if (skip() === end) break;
      expect(',');
    }
    at++;
  };
  const value = (depth: number): unknown => {
    if (depth > maxDepth) fail('it is nested too deeply');
    const first = skip();
    if (first === '"' || first === "'") return string();
    if (first === '[') {
      const list: unknown[] = [];
      members(']', () => void list.push(value(depth + 1)));
      return list;
    }
    if (first === '{') {
      const object = Object.create(null) as Record<string, unknown>;
      members('}', () => {
        const key = /["']/.test(skip()) ? string() : (match(name) ?? fail('a key is missing'));
        expect(':');
        object[key] = value(depth + 1);
      });
      return object;
    }
    const digits = match(number);
    if (digits !== undefined) return Number(digits.replace(/^\+/, ''));
    const word = match(name);
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    return fail('a value is missing');
  };

  const found = value(0);
  if (skip() !== '') fail('unexpected text');
  return found;
}
