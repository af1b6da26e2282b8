/** A text as it reads when something is undone, and where each of its characters stands in the original. */
export interface TextView {
  readonly text: string;
  /** Of the character at an index: where it begins and ends in the original. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** One character that is escaped: `%41`, `\u0041`, `\x41`, `\"`, `&#65;`, `&quot;`. Backslashes double in JSON in JSON. */
const escapes =
  /(?:%[0-9a-f]{2})+|\\{1,8}(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[^\sux\\])|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);?/gi;
const anyEscape = new RegExp(escapes.source, 'i');

/** An escape at the end that more may follow, also a character of several bytes. */
export const escapeBegun =
  /(?:(?:%[89a-f][0-9a-f])+(?:%[0-9a-f]?)?|%[0-9a-f]?|\\{1,8}(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&(?:#?[0-9a-z]{0,7}))$/i;

/** Undefined where nothing is escaped. */
export function unescaped(text: string): TextView | undefined {
  if (!anyEscape.test(text)) return undefined;
  const view = createView();
  let at = 0;
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    view.copy(text, at, index);
    if (escape.startsWith('%')) addBytes(view, escape, index);
    else view.put(meaningOf(escape), index, index + escape.length);
    at = index + escape.length;
  }
  view.copy(text, at, text.length);
  return view;
}

/** Characters in a row that `base64` and its like write at least before they break the line. */
const minBrokenLineLength = 48;

/** Without white space; undefined where no line looks as if an encoded text went on in the next one. */
export function unfolded(text: string): TextView | undefined {
  if (!hasBrokenLine(text)) return undefined;
  const view = createView();
  for (let at = 0; at < text.length; at++) {
    if (!/\s/.test(text[at]!)) view.copy(text, at, at + 1);
  }
  return view;
}

function createView() {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = '';
  return {
    get text() {
      return text;
    },
    starts,
    ends,
    /** As it stands in the original. */
    copy(original: string, from: number, to: number): void {
      text += original.slice(from, to);
      for (let at = from; at < to; at++) {
        starts.push(at);
        ends.push(at + 1);
      }
    },
    /** What all of `from` to `to` stands for. */
    put(meaning: string, from: number, to: number): void {
      text += meaning;
      for (let at = 0; at < meaning.length; at++) {
        starts.push(from);
        ends.push(to);
      }
    },
  };
}

/** Bytes of UTF-8, three characters each. */
function addBytes(view: ReturnType<typeof createView>, run: string, index: number): void {
  let at = index;
  for (const character of Buffer.from(run.replaceAll('%', ''), 'hex').toString()) {
    // What is no UTF-8 is shown as a character of three bytes, and stood for one.
    const length = character === '\uFFFD' ? 3 : Buffer.byteLength(character) * 3;
    view.put(character, at, Math.min(at + length, index + run.length));
    at = Math.min(at + length, index + run.length);
  }
}

function meaningOf(escape: string): string {
  const body = escape.replace(/^\\+|^&|;$/g, '');
  const code = /^[ux]([0-9a-f]+)$|^#x([0-9a-f]+)$|^#(\d+)$/i.exec(body);
  if (!code) return named[body.toLowerCase()] ?? body;
  const [, escaped, hex, decimal] = code;
  if (escaped !== undefined) return String.fromCharCode(parseInt(escaped, 16));
  const point = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD';
}

const named: { readonly [name: string]: string } = {
  n: '\n',
  r: '\r',
  t: '\t',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function hasBrokenLine(text: string): boolean {
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    let at = text[end - 1] === '\r' ? end - 1 : end;
    const until = at - minBrokenLineLength;
    while (at > from && at > until && isEncoding(text.charCodeAt(at - 1))) at--;
    if (at === until) return true;
    from = end + 1;
  }
  return false;
}

/** A letter, a digit, one of `+/-_`. */
function isEncoding(code: number): boolean {
  const letter = code | 32;
  return (
    (letter >= 97 && letter <= 122) || (code >= 47 && code <= 57) || code === 43 || code === 45 || code === 95
  );
}
