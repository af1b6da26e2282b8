import { stemmer } from 'stemmer';

/** Postgres keeps at most so many positions of a word, and a megabyte of words. */
const maxPositions = 255;
const maxLexemes = 20_000;
const maxLexemeLength = 200;

const words = /[\p{L}\p{N}\p{Co}]+/gu;
const accents = /[\u0300-\u036F]/g;

/** The words as FTS5's tokenizer `porter unicode61 remove_diacritics 2` returns them. */
export const lexemesOf = (text: string): readonly string[] =>
  (text.normalize('NFD').replace(accents, '').normalize('NFC').toLowerCase().match(words) ?? []).map((word) =>
    /^[a-z]{3,63}$/.test(word) ? stemmer(word) : word.slice(0, maxLexemeLength),
  );

export interface IndexedText {
  /** A `tsvector` in which the number of positions of a word says how often it occurs. */
  readonly vector: string;
  /** How many words the texts have. */
  readonly length: number;
}

/** `weight`: how often each occurrence of a word counts. */
export function toIndexed(
  texts: readonly { readonly text: string; readonly weight?: number }[],
): IndexedText {
  const counts = new Map<string, number>();
  let length = 0;
  for (const { text, weight = 1 } of texts) {
    for (const lexeme of lexemesOf(text)) {
      length++;
      if (counts.has(lexeme) || counts.size < maxLexemes)
        counts.set(lexeme, (counts.get(lexeme) ?? 0) + weight);
    }
  }
  const parts = [...counts].map(([lexeme, count]) => {
    const positions = Array.from({ length: Math.min(count, maxPositions) }, (_, at) => at + 1);
    return `'${lexeme}':${positions.join(',')}`;
  });
  return { vector: parts.join(' '), length };
}
