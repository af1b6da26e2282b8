import type { BoundValue } from '../evaluate.ts';
import { isInert } from '../template/template.ts';
import type { Word } from '../lex/words.ts';

/** Whether the value could be any text and isn't confirmed by a person. */
export function isFree(value: BoundValue): boolean {
  return !isInert(value.parameter) && value.parameter.unsafe !== true;
}

export function freeValueOf(word: Word): BoundValue | undefined {
  for (const piece of word.pieces) if (piece.kind === 'value' && isFree(piece)) return piece;
  return undefined;
}
