import { evidenceFor, isAnswer } from '../ranking/answers.ts';
import { termsOf, titleWordsOf } from './document-terms.ts';
import type { TypicalLengths } from './field-lengths.ts';
import type { SearchedTool } from './fields.ts';
import { createNeighbours } from './neighbours.ts';
import { createPostings } from './postings.ts';
import { toQuery, type Query } from '../ranking/query.ts';

/** Tools by their words: BM25F. */
export interface WordIndex {
  add(document: number, tool: SearchedTool, typicalLengths: TypicalLengths): void;
  /** `tool` as it was added. */
  remove(document: number, tool: SearchedTool, typicalLengths: TypicalLengths): void;
  read(text: string): Query;
  addScores(query: Query, scores: Float64Array): void;
  /** Whether the tool surely answers the query. */
  answers(query: Query, document: number, tool: SearchedTool): boolean;
}

export function createWordIndex(): WordIndex {
  const postings = createPostings();
  const neighbours = createNeighbours(postings.terms, (id) => postings.count(id));
  let size = 0;
  /** How rare a term is among the tools. */
  const rarity = (count: number): number => Math.log(1 + (size - count + 0.5) / (count + 0.5));
  return {
    add(document, tool, typicalLengths) {
      for (const [term, impact] of termsOf(tool, typicalLengths))
        postings.add(postings.idOf(term), document, impact);
      // Incrementally, so that no query has to do it for all tools.
      neighbours.catchUp();
      size++;
    },
    remove(document, tool, typicalLengths) {
      for (const term of termsOf(tool, typicalLengths).keys()) postings.remove(postings.idOf(term), document);
      size--;
    },
    answers: (query, document, tool) => isAnswer(evidenceFor(query, document, titleWordsOf(tool), postings)),
    read: (text) => toQuery(text, postings, neighbours),
    addScores({ terms, choices }, scores) {
      for (const [term, weight] of terms) postings.addTo(scores, term, weight * rarity(postings.count(term)));
      for (const choice of choices) {
        const best = new Map<number, number>();
        for (const [term, weight] of choice) {
          const factor = weight * rarity(postings.count(term));
          postings.forEach(term, (document, value) => {
            best.set(document, Math.max(best.get(document) ?? 0, factor * value));
          });
        }
        for (const [document, score] of best) scores[document]! += score;
      }
    },
  };
}
