import { widthOf } from '../width.ts';
import { insert, type LineBuffer } from './draft.ts';

/** Candidates for the word before the cursor. A complete one ends with a space. */
export interface Completion {
  readonly candidates: readonly string[];
  readonly word: string;
}

export type Complete = (textBefore: string) => Promise<Completion>;

/** Writes the common prefix of all candidates for the word, and returns the choices that are left. */
export function applyCompletion(
  draft: LineBuffer,
  { candidates, word }: Completion,
): { readonly draft: LineBuffer; readonly choices: readonly string[] } {
  const [first] = candidates;
  if (first === undefined) return { draft, choices: [] };
  const common = candidates.reduce(commonStart, first);
  // A common prefix may begin otherwise than the word: with a quote, where a name has spaces.
  const written = common.length > word.length ? common : word;
  const again = written.endsWith(' ') && draft.text[draft.cursor] === ' ';
  const { text, cursor } = draft;
  const start = cursor - word.length;
  const without = { text: text.slice(0, start) + text.slice(cursor), cursor: start };
  return {
    draft: insert(without, again ? written.slice(0, -1) : written),
    choices: candidates.length > 1 ? candidates : [],
  };
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

/** In columns, at most `rows` lines. */
export function listChoices(choices: readonly string[], width: number, rows: number): string[] {
  if (choices.length === 0) return [];
  const words = choices.map((choice) => choice.trimEnd());
  const column = Math.max(...words.map(widthOf)) + 2;
  const perRow = Math.max(1, Math.floor(width / column));
  const lines: string[] = [];
  for (let at = 0; at < words.length && lines.length < rows; at += perRow) {
    const row = words.slice(at, at + perRow).map((word) => word + ' '.repeat(column - widthOf(word)));
    lines.push(row.join('').trimEnd());
  }
  const left = words.length - perRow * lines.length;
  return left > 0 ? [...lines, `… ${left} more`] : lines;
}
