import type { Question } from '../../api/ask.ts';
import { shownLine, shownText } from './shown-text.ts';

/**
 * A question as a person is shown it. Only `head` and `notes` may stand like lines of Pegboard; `said` and `detail` are
 * text of others that may have any lines, so they stand behind a margin or in a block that they can't close.
 */
export interface ShownQuestion {
  readonly head: string;
  /** The further lines of the message; mostly none. */
  readonly said: readonly string[];
  readonly detail: readonly string[];
  readonly notes: readonly string[];
}

/** In front of every line of others. Programs that draw questions use the light bar for lines of their own. */
export const margin = '┃ ';

/** A question as lines that are safe to show: without control characters, hidden ones spelled out. */
export function shownQuestion({ message, detail, notes = [] }: Omit<Question, 'schema'>): ShownQuestion {
  const [head = '', ...said] = shownText(message.trim().replaceAll('\r\n', '\n')).split('\n');
  return {
    head: shownLine(head),
    said: said.some((line) => line.trim() !== '') ? trimmed(said) : [],
    detail: detail === undefined ? [] : shownText(detail).split('\n'),
    notes: notes.map(shownLine),
  };
}

/** All of a question as one text, for those who can show nothing else. */
export function questionText(question: Omit<Question, 'schema'>): string {
  const { head, said, detail, notes } = shownQuestion(question);
  const block = (lines: readonly string[]): string => lines.map((line) => `${margin}${line}`).join('\n');
  return [head, block(said), block(detail), notes.join('\n')].filter((part) => part !== '').join('\n\n');
}

/** Without the empty lines at the beginning. */
const trimmed = (lines: readonly string[]): readonly string[] =>
  lines.slice(lines.findIndex((line) => line.trim() !== ''));
