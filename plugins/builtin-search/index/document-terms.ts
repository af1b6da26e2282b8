import { fields, headlineOf, titleOf, type Field, type SearchedTool } from './fields.ts';
import type { TypicalLengths } from './field-lengths.ts';
import { gramsOf } from './grams.ts';
import { stem } from './stem.ts';
import { isCjk, wordsOf } from './tokens.ts';

/** How soon repetition stops counting (BM25's k1). */
const saturation = 1.2;

/**
 * The words and word pairs of a tool, each with what it adds to the score of a query that has it, before the word's
 * rarity (BM25F: Robertson, Zaragoza and Taylor, 2004). A pair is two stems with a space between.
 */
export function termsOf(tool: SearchedTool, typicalLengths: TypicalLengths): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (term: string, weight: number): void => void terms.set(term, (terms.get(term) ?? 0) + weight);
  for (const field of fields) {
    const { weight, b, pairs, joins } = field;
    const { text, tokens, words } = readField(field, tool);
    const each = weight / (1 - b + (b * text.length) / typicalLengths.get(field)!);
    words.forEach((word, at) => {
      add(word, each);
      if (pairs && at > 0 && !isCjk(word)) add(pairOf(words[at - 1]!, word), each);
      if (joins && at > 0 && !isCjk(word)) add(stem(tokens[at - 1]! + tokens[at]!), each * 0.5);
    });
  }
  for (const [term, weight] of terms) {
    terms.set(term, (weight * (saturation + 1)) / (saturation + weight));
  }
  return terms;
}

interface FieldWords {
  readonly text: string;
  readonly tokens: readonly string[];
  /** Their stems. */
  readonly words: readonly string[];
}

/** The last words of each field: tools of one server are indexed in a row, and share the server's description. */
const lastRead = new Map<Field, FieldWords>();

function readField(field: Field, tool: SearchedTool): FieldWords {
  const text = field.textOf(tool);
  const last = lastRead.get(field);
  if (last?.text === text) return last;
  const tokens = wordsOf(text);
  const read = { text, tokens, words: tokens.map(stem) };
  lastRead.set(field, read);
  return read;
}

/** The stems of a tool's names. */
export const titleWordsOf = (tool: SearchedTool): ReadonlySet<string> =>
  new Set(wordsOf(titleOf(tool)).map(stem));

/** The 4-grams of a tool's headline, with damped counts. */
export function gramTermsOf(tool: SearchedTool): Map<string, number> {
  const grams = gramsOf(headlineOf(tool));
  for (const [gram, times] of grams) grams.set(gram, 1 + Math.log(times));
  return grams;
}

export const pairOf = (first: string, second: string): string => `${first} ${second}`;
