/** A decoded text, with the position of each of its characters in the original. */
export interface TextView {
  readonly text: string;
  /** For the character at an index: its start and end in the original. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** An escaped character: `%41`, `\u0041`, `\x41`, `\"`, `&#65;`, `&quot;`. Backslashes are doubled in JSON within JSON. */
const escapes =
  /(?:%[0-9a-f]{2})+|\\{1,8}(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[^\sux\\])|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);?/gi;
const anyEscape = new RegExp(escapes.source, 'i');

/** An incomplete escape at the end, also of a multi-byte character. */
export const escapeBegun =
  /(?:(?:%[89a-f][0-9a-f])+(?:%[0-9a-f]?)?|%[0-9a-f]?|\\{1,8}(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&(?:#?[0-9a-z]{0,7}))$/i;

/** Undefined if nothing is escaped. */
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

/** Minimum length of the lines into which `base64` and similar programs break their output. */
const minBrokenLineLength = 48;

/** Without white space. Undefined if no line looks like encoded text that continues on the next line. */
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
    /** Copies a part of the original. */
    copy(original: string, from: number, to: number): void {
      text += original.slice(from, to);
      for (let at = from; at < to; at++) {
        starts.push(at);
        ends.push(at + 1);
      }
    },
    /** Adds the meaning of the original from `from` to `to`. */
    put(meaning: string, from: number, to: number): void {
      text += meaning;
      for (let at = 0; at < meaning.length; at++) {
        starts.push(from);
        ends.push(to);
      }
    },
  };
}

/** UTF-8 bytes, each as three characters. */
function addBytes(view: ReturnType<typeof createView>, run: string, index: number): void {
  let at = index;
  for (const character of Buffer.from(run.replaceAll('%', ''), 'hex').toString()) {
    // An invalid byte is decoded to a character of three bytes, but was only one.
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

/** A letter, a digit, or one of `+/-_`. */
function isEncoding(code: number): boolean {
  const letter = code | 32;
  return (
    (letter >= 97 && letter <= 122) || (code >= 47 && code <= 57) || code === 43 || code === 45 || code === 95
  );
}
