import type { Question } from '../../api/ask.ts';
import { exactLine, exactText } from './shown-text.ts';

/**
 * A question as it is shown to a person. Only `head` and `notes` may look like Pegboard's own lines. `said` and
 * `detail` are text of others with any line breaks, so they are shown behind a margin or in a block that they can't
 * close.
 */
export interface ShownQuestion {
  readonly head: string;
  /** Further lines of the message, usually none. */
  readonly said: readonly string[];
  readonly detail: readonly string[];
  readonly notes: readonly string[];
}

/** Begins every line of foreign text. Programs that draw questions use the light bar for their own lines. */
export const margin = '┃ ';

/** A question as lines that are safe to show: without control characters, with hidden characters spelled out. */
export function shownQuestion({ message, detail, notes = [] }: Omit<Question, 'schema'>): ShownQuestion {
  const [head = '', ...said] = exactText(message.trim().replaceAll('\r\n', '\n')).split('\n');
  return {
    head: exactLine(head),
    said: said.some((line) => line.trim() !== '') ? trimmed(said) : [],
    detail: detail === undefined ? [] : exactText(detail).split('\n'),
    notes: notes.map(exactLine),
  };
}

/** Characters of the first line: some clients show three lines of 60 columns, and nothing unfolds the rest. */
const maxFirstLine = 200;

/** The whole question as one text, for clients that can show nothing else. Its first line says what would happen. */
export function questionText(question: Omit<Question, 'schema'>): string {
  const { head, said, detail, notes } = shownQuestion(question);
  const block = (lines: readonly string[]): string => lines.map((line) => `${margin}${line}`).join('\n');
  const { brief = { head, said: detail.join('\n') } } = question;
  const first = firstLine(brief);
  const isSaid = first.startsWith(head);
  return [first, isSaid ? '' : head, block(said), block(detail), notes.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function firstLine({ head, said }: NonNullable<Question['brief']>): string {
  const joined = exactText(said.trim())
    .replaceAll(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll(/[ \t]+/g, ' ');
  const line = joined === '' ? exactLine(head) : `${exactLine(head)} ${margin}${joined}`;
  return line.length > maxFirstLine ? `${line.slice(0, maxFirstLine - 1).toWellFormed()}…` : line;
}

/** Without leading empty lines. */
const trimmed = (lines: readonly string[]): readonly string[] =>
  lines.slice(lines.findIndex((line) => line.trim() !== ''));
