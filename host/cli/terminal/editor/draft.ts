import { chordOf, type Key } from '../keyboard.ts';

/** Lines of text, and the position of the cursor in UTF-16 units. */
export interface LineBuffer {
  readonly text: string;
  readonly cursor: number;
}

export const emptyBuffer: LineBuffer = { text: '', cursor: 0 };

export const bufferOf = (text: string): LineBuffer => ({ text, cursor: text.length });

export function insert({ text, cursor }: LineBuffer, added: string): LineBuffer {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

type Move = (draft: LineBuffer) => number;

/** Keys as in a shell. Undefined for a key that edits nothing. */
export function edit(draft: LineBuffer, key: Key): LineBuffer | undefined {
  if (key.text !== undefined) return insert(draft, key.text);
  const chord = chordOf(key);
  const move = moves[chord];
  if (move) return { ...draft, cursor: move(draft) };
  const erase = erasures[chord];
  return erase && withoutUpTo(draft, erase(draft));
}

function withoutUpTo({ text, cursor }: LineBuffer, other: number): LineBuffer {
  const [from, to] = [Math.min(cursor, other), Math.max(cursor, other)];
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** One character on the screen may be several code points. */
let segmenter: Intl.Segmenter | undefined;
const charactersOf = (text: string): string[] =>
  /^[\x20-\x7e\n]*$/.test(text)
    ? text.split('')
    : [...(segmenter ??= new Intl.Segmenter()).segment(text)].map(({ segment }) => segment);

const left: Move = ({ text, cursor }) => cursor - (charactersOf(text.slice(0, cursor)).at(-1)?.length ?? 0);
const right: Move = ({ text, cursor }) => cursor + (charactersOf(text.slice(cursor))[0]?.length ?? 0);
const lineStart: Move = ({ text, cursor }) => text.lastIndexOf('\n', cursor - 1) + 1;
const lineEnd: Move = ({ text, cursor }) => {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
};
const wordLeft: Move = ({ text, cursor }) =>
  text.slice(0, cursor).replace(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u, '').length;
const wordStart: Move = ({ text, cursor }) => text.slice(0, cursor).replace(/\S+\s*$/, '').length;
const wordRight: Move = ({ text, cursor }) =>
  cursor + /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor))![0].length;

const moves: { readonly [chord: string]: Move } = {
  left,
  right,
  home: lineStart,
  end: lineEnd,
  'ctrl-b': left,
  'ctrl-f': right,
  'ctrl-a': lineStart,
  'ctrl-e': lineEnd,
  'ctrl-left': wordLeft,
  'ctrl-right': wordRight,
  'alt-left': wordLeft,
  'alt-right': wordRight,
  'alt-b': wordLeft,
  'alt-f': wordRight,
};

const erasures: { readonly [chord: string]: Move } = {
  backspace: left,
  'ctrl-h': left,
  delete: right,
  'ctrl-d': right,
  'ctrl-u': lineStart,
  'ctrl-k': lineEnd,
  'ctrl-w': wordStart,
  'alt-backspace': wordLeft,
  'ctrl-backspace': wordLeft,
  'alt-d': wordRight,
};

/** A line up or down within the text; undefined where there is none. */
export function moveLine(draft: LineBuffer, by: -1 | 1): LineBuffer | undefined {
  const { text, cursor } = draft;
  const start = lineStart(draft);
  const column = cursor - start;
  const target = by < 0 ? start - 1 : lineEnd(draft) + 1;
  if (target < 0 || target > text.length) return undefined;
  const line = { text, cursor: target };
  return { text, cursor: Math.min(lineStart(line) + column, lineEnd(line)) };
}
