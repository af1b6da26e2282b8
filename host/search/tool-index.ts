import type { SearchedTool } from './fields.ts';
import { createGramIndex } from './gram-index.ts';
import { leastScore, type Hit } from './hit.ts';
import type { Query } from './query.ts';
import { createScratch } from './scratch.ts';
import { sentencesOf } from './sentences.ts';
import { addScaled, highestOf, scaleTo, topOf } from './top.ts';
import { createWordIndex } from './word-index.ts';

const weightOfGrams = 0.3;
const weightOfBestSentence = 0.4;

export interface SearchOptions {
  /** May it be found? */
  readonly admit?: (id: string) => boolean;
  /** What something that fits gains, as a share of the best score. */
  readonly bonus?: (id: string) => number;
}

/** Tools that are found by what a request says. They come and go one by one; an answer is the same as of a fresh index. */
export interface ToolIndex {
  /** Under an id that is not there yet. */
  add(id: string, tool: SearchedTool): void;
  remove(id: string): void;
  search(text: string, limit: number, options?: SearchOptions): Hit[];
}

interface Entry {
  readonly id: string;
  readonly tool: SearchedTool;
}

/** A request or a sentence of it. */
interface Part {
  readonly text: string;
  readonly query: Query;
}

/** Of so many first tools one must be an answer, or there is none. */
const judged = 3;

export function createToolIndex(): ToolIndex {
  const words = createWordIndex();
  const grams = createGramIndex();
  const entries: (Entry | undefined)[] = [];
  const places = new Map<string, number>();
  const free: number[] = [];
  const scratch = createScratch();
  const inOrder = (a: number, b: number): number => (entries[a]!.id < entries[b]!.id ? -1 : 1);

  const read = (text: string): Part => ({ text, query: words.read(text) });
  const scoresOf = ({ text, query }: Part): Float64Array => {
    const scores = scratch.take(entries.length);
    words.addScores(query, scores);
    scaleTo(scores, 1);
    const spelling = scratch.take(entries.length);
    grams.addScores(text, spelling);
    addScaled(scores, spelling, weightOfGrams);
    scratch.give(spelling);
    return scores;
  };
  const rank = (whole: Part, sentences: readonly Part[]): Float64Array => {
    const scores = scoresOf(whole);
    if (sentences.length === 0) return scores;
    const best = scratch.take(entries.length);
    for (const sentence of sentences) {
      const some = scoresOf(sentence);
      for (let at = 0; at < best.length; at++) if (some[at]! > best[at]!) best[at] = some[at]!;
      scratch.give(some);
    }
    scaleTo(scores, 1 - weightOfBestSentence);
    addScaled(scores, best, weightOfBestSentence);
    scratch.give(best);
    return scores;
  };

  const pick = (
    scores: Float64Array,
    limit: number,
    mayBeFound: (at: number) => boolean,
    bonus: SearchOptions['bonus'],
  ): Hit[] => {
    if (bonus) {
      const highest = highestOf(scores);
      for (let at = 0; at < scores.length; at++)
        if (scores[at]! > 0) scores[at]! += bonus(entries[at]!.id) * highest;
    }
    const top = topOf(scores, limit, mayBeFound, inOrder);
    return top
      .map((at) => ({ id: entries[at]!.id, score: scores[at]! / scores[top[0]!]! }))
      .filter(({ score }) => score >= leastScore);
  };

  return {
    add(id, tool) {
      const place = free.pop() ?? entries.length;
      entries[place] = { id, tool };
      places.set(id, place);
      words.add(place, tool);
      grams.add(place, tool);
    },
    remove(id) {
      const place = places.get(id);
      if (place === undefined) return;
      const { tool } = entries[place]!;
      words.remove(place, tool);
      grams.remove(place, tool);
      entries[place] = undefined;
      places.delete(id);
      free.push(place);
    },
    search(text, limit, { admit = () => true, bonus } = {}) {
      const whole = read(text);
      const sentences = sentencesOf(text).map(read);
      const scores = rank(whole, sentences);
      const mayBeFound = (at: number): boolean => admit(entries[at]!.id);
      const first = topOf(scores, judged, mayBeFound, inOrder);
      const parts = [whole, ...sentences];
      const found = first.some((at) => parts.some(({ query }) => words.answers(query, at)))
        ? pick(scores, limit, mayBeFound, bonus)
        : [];
      scratch.give(scores);
      return found;
    },
  };
}
