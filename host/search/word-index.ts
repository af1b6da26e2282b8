import { coverageOf, isForeign, neededCoverage } from './coverage.ts';
import { termsOf } from './document-terms.ts';
import type { SearchedTool } from './fields.ts';
import { createNeighbours } from './neighbours.ts';
import { createPostings } from './postings.ts';
import { toQuery, type Query } from './query.ts';
import { synonyms } from './synonyms.ts';

/** Tools by their words: BM25F. */
export interface WordIndex {
  add(document: number, tool: SearchedTool): void;
  /** `tool` as it was added. */
  remove(document: number, tool: SearchedTool): void;
  read(text: string): Query;
  addScores(query: Query, scores: Float64Array): void;
  /** Does the tool speak of enough of what is asked to be an answer? */
  answers(query: Query, document: number): boolean;
}

/** Tools that a home is taken to have at least, where it is asked whether a request is answered. */
const few = 500;

export function createWordIndex(): WordIndex {
  const postings = createPostings();
  const neighbours = createNeighbours(postings.terms, (id) => postings.count(id) > 0);
  let size = 0;
  /** How rare a term is among the tools. */
  const rarity = (count: number, among = size): number => Math.log(1 + (among - count + 0.5) / (count + 0.5));
  /** In a small home every word is rare, and one that nobody knows would outweigh all others. */
  const rarityInFew = (count: number): number => rarity(count, Math.max(size, few));
  /** Share of the usual words that some tool has; what the synonyms are of will do for usual words. */
  let familiarity: number | undefined;
  const familiarityNow = (): number => {
    let known = 0;
    for (const word of synonyms.keys()) {
      const id = postings.find(word);
      if (id >= 0 && postings.count(id) > 0) known++;
    }
    return known / synonyms.size;
  };
  return {
    add(document, tool) {
      familiarity = undefined;
      for (const [term, impact] of termsOf(tool)) postings.add(postings.idOf(term), document, impact);
      size++;
    },
    remove(document, tool) {
      familiarity = undefined;
      for (const term of termsOf(tool).keys()) postings.remove(postings.idOf(term), document);
      size--;
    },
    read: (text) => toQuery(text, postings, neighbours),
    answers: (query, document) =>
      coverageOf(query, document, postings, rarityInFew) >= neededCoverage(query.length) &&
      !isForeign(query, document, postings, (familiarity ??= familiarityNow())),
    addScores({ terms }, scores) {
      for (const [term, weight] of terms) postings.addTo(scores, term, weight * rarity(postings.count(term)));
    },
  };
}
