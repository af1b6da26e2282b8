import { gramTermsOf } from './document-terms.ts';
import type { SearchedTool } from './fields.ts';
import { gramsOf } from './grams.ts';
import { createPostings } from './postings.ts';

/** Tools by the spelling of their names: tolerates typos, compounds and endings. Cosine of rarity-weighted 4-grams. */
export interface GramIndex {
  add(document: number, tool: SearchedTool): void;
  /** `tool` as it was added. */
  remove(document: number, tool: SearchedTool): void;
  addScores(text: string, scores: Float64Array): void;
}

export function createGramIndex(): GramIndex {
  const postings = createPostings();
  let size = 0;
  /** By document. Each depends on the rarity of every gram, so all are recomputed after a change: 3 ms for 10,000 tools. */
  let lengths: Float64Array | undefined;
  const rarity = (id: number): number => Math.log(1 + size / postings.count(id));
  const measure = (documents: number): Float64Array => {
    const squares = new Float64Array(documents);
    postings.terms.forEach((_, id) => {
      if (postings.count(id) === 0) return;
      const weight = rarity(id);
      postings.forEach(id, (document, value) => (squares[document]! += (value * weight) ** 2));
    });
    return squares.map(Math.sqrt);
  };
  return {
    add(document, tool) {
      for (const [gram, value] of gramTermsOf(tool)) postings.add(postings.idOf(gram), document, value);
      size++;
      lengths = undefined;
    },
    remove(document, tool) {
      for (const gram of gramTermsOf(tool).keys()) postings.remove(postings.idOf(gram), document);
      size--;
      lengths = undefined;
    },
    addScores(text, scores) {
      lengths ??= measure(scores.length);
      for (const gram of gramsOf(text).keys()) {
        const id = postings.find(gram);
        if (id >= 0 && postings.count(id) > 0) postings.addTo(scores, id, rarity(id) ** 2);
      }
      for (let at = 0; at < scores.length; at++) if (scores[at]! > 0) scores[at]! /= lengths[at]!;
    },
  };
}
