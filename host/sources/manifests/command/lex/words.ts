import type { BoundValue } from '../evaluate.ts';

const begin = '\u0001';
const end = '\u0002';
/** The name of everything that isn't a variable: `$(…)`, `$((…))`, `<(…)`, backticks. */
export const substitution = '(';

/** A placeholder in a literal for text that only the shell knows. */
export function expansionOf(name: string): string {
  return `${begin}${name}${end}`;
}

/** The names in a text of the template, including `substitution`. */
export function expansionsIn(text: string): string[] {
  return Array.from(text.matchAll(/\u0001([^\u0002]*)\u0002/g), ([, name]) => name!);
}

export function isExpanded(text: string | undefined): boolean {
  return text?.includes(begin) === true;
}

interface LiteralPiece {
  readonly kind: 'literal';
  text: string;
  /** In quotes or after a backslash, and so without special meaning. */
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

/** The word's text; undefined when a value is part of it. */
export function literalOf(word: Word | undefined): string | undefined {
  if (!word) return undefined;
  let text = '';
  for (const piece of word.pieces) {
    if (piece.kind === 'value') return undefined;
    text += piece.text;
  }
  return text;
}

/** The word's text if it is literal and unquoted, so that it can be a keyword. */
export function bareTextOf(word: Word): string | undefined {
  return word.pieces.every((piece) => piece.kind === 'literal' && !piece.quoted)
    ? literalOf(word)
    : undefined;
}

/** The beginning of the word, if it is literal. */
export function leadingText(word: Word): string | undefined {
  const [first] = word.pieces;
  return first?.kind === 'literal' ? first.text : undefined;
}
