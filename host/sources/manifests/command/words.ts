import type { BoundValue } from './evaluate.ts';

/** Stands in a literal for what only the shell will know: `$name`, `$(…)`, backticks. */
export const expansion = '\u0001';

export interface LiteralPiece {
  readonly kind: 'literal';
  text: string;
  /** Within quotes or after a backslash: without a meaning of its own. */
  readonly quoted: boolean;
}
export type Piece = LiteralPiece | BoundValue;

export interface Word {
  readonly pieces: Piece[];
  role: 'word' | 'redirection' | 'assignment';
  /** The operator before a redirection's target: ">", "2>&". */
  readonly operator?: string;
}

/** A program with its arguments, assignments and redirections, as the shell would run it. */
export interface SimpleCommand {
  readonly words: Word[];
}

/** The word's text when no value is part of it. */
export function literalOf(word: Word | undefined): string | undefined {
  if (!word) return undefined;
  let text = '';
  for (const piece of word.pieces) {
    if (piece.kind === 'value') return undefined;
    text += piece.text;
  }
  return text;
}

/** The word's text when it is literal and nothing in it is quoted, so that it can be a keyword. */
export function bareTextOf(word: Word): string | undefined {
  return word.pieces.every((piece) => piece.kind === 'literal' && !piece.quoted)
    ? literalOf(word)
    : undefined;
}

/** What the word begins with, when that is literal. */
export function leadingText(word: Word): string | undefined {
  const [first] = word.pieces;
  return first?.kind === 'literal' ? first.text : undefined;
}
