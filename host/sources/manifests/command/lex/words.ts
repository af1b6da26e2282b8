import type { BoundValue } from '../evaluate.ts';

const begin = '\u0001';
const end = '\u0002';
/** The name of everything that isn't a variable: `$(…)`, `$((…))`, `<(…)`, backticks. */
export const substitution = '(';

/** Stands in a literal for what only the shell will know. */
export function expansionOf(name: string): string {
  return `${begin}${name}${end}`;
}

/** The names in a text of the template's own, `substitution` among them. */
export function expansionsIn(text: string): string[] {
  return Array.from(text.matchAll(/\u0001([^\u0002]*)\u0002/g), ([, name]) => name!);
}

export function isExpanded(text: string | undefined): boolean {
  return text?.includes(begin) === true;
}

interface LiteralPiece {
  readonly kind: 'literal';
  text: string;
  /** Within quotes or after a backslash: without a meaning of its own. */
  readonly quoted: boolean;
}
type Piece = LiteralPiece | BoundValue;

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
