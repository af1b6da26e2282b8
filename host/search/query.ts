import { pairOf } from './document-terms.ts';
import type { Neighbours } from './neighbours.ts';
import type { Postings } from './postings.ts';
import { stem } from './stem.ts';
import { requestWords } from './stop-words.ts';
import { synonyms } from './synonyms.ts';
import { isSubject, tellingOf } from './telling.ts';
import { isCjk, wordsOf } from './tokens.ts';

const weightOfRequestWord = 0.4;
const weightOfSynonym = 0.2;
const weightOfPair = 0.4;

/** A word of a request, and the terms of the index that speak for it. */
export interface QueryWord {
  readonly stem: string;
  /** 1, or less for a word of asking. */
  readonly weight: number;
  /** How much a tool lacks that lacks it: 0 to 1. */
  readonly telling: number;
  /** About something, and not only an action or a word of asking. */
  readonly isSubject: boolean;
  /** Its own term, or -1: no tool has it. */
  readonly term: number;
  /** Terms that may stand for it, with how surely. */
  readonly others: ReadonlyMap<number, number>;
}

export interface Query {
  readonly words: readonly QueryWord[];
  /** Everything that scores, by term: its weight. */
  readonly terms: ReadonlyMap<number, number>;
}

/** What a request asks an index for. Each word counts once; an unknown one by its neighbours, every one by synonyms too. */
export function toQuery(text: string, index: Postings, neighbours: Neighbours): Query {
  const telling = tellingOf(text);
  const weights = new Map<string, Pick<QueryWord, 'weight' | 'telling' | 'isSubject'>>();
  const pairs = new Map<number, number>();
  let previous: string | undefined;
  for (const token of wordsOf(text)) {
    const word = stem(token);
    const before = weights.get(word) ?? { weight: 0, telling: 0, isSubject: false };
    weights.set(word, {
      weight: Math.max(before.weight, requestWords.has(token) ? weightOfRequestWord : 1),
      telling: Math.max(before.telling, telling(token)),
      isSubject: before.isSubject || isSubject(token),
    });
    if (previous !== undefined && previous !== word && !isCjk(word)) {
      const pair = known(index, pairOf(previous, word));
      if (pair >= 0) pairs.set(pair, weightOfPair);
    }
    previous = word;
  }
  const words = [...weights].map(([word, counts]) => ({
    stem: word,
    ...counts,
    term: known(index, word),
    others: alternativesTo(word, index, neighbours),
  }));
  return { words, terms: termsOf(words, pairs) };
}

function alternativesTo(word: string, index: Postings, neighbours: Neighbours): Map<number, number> {
  const others = new Map<number, number>();
  for (const synonym of synonyms.get(word) ?? []) {
    const term = known(index, synonym);
    if (term >= 0) others.set(term, weightOfSynonym);
  }
  if (known(index, word) < 0) {
    for (const { word: near, weight } of neighbours.of(word)) {
      const term = known(index, near);
      others.set(term, Math.max(weight, others.get(term) ?? 0));
    }
  }
  return others;
}

/** A word that the request says itself is not said again by another word's synonym. */
function termsOf(words: readonly QueryWord[], pairs: ReadonlyMap<number, number>): Map<number, number> {
  const terms = new Map(pairs);
  for (const { term, weight } of words) if (term >= 0) terms.set(term, weight);
  const own = new Set(terms.keys());
  for (const { weight, others } of words) {
    for (const [term, share] of others) {
      if (!own.has(term)) terms.set(term, Math.max(weight * share, terms.get(term) ?? 0));
    }
  }
  return terms;
}

/** -1 where no tool has it now. */
function known(index: Postings, term: string): number {
  const id = index.find(term);
  return id >= 0 && index.count(id) > 0 ? id : -1;
}
