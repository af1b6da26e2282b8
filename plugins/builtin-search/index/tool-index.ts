import { createFieldLengths } from './field-lengths.ts';
import type { SearchedTool } from './fields.ts';
import { createGramIndex } from './gram-index.ts';
import { maxNearest } from 'pegboard/kit';
import { minScore, type Hit } from '../hit.ts';
import { createNameIndex } from './name-index.ts';
import { createRanking } from '../ranking/ranking.ts';
import { highestOf, topOf } from '../ranking/top.ts';
import { createWordIndex } from './word-index.ts';
import { requestWords, stopWords } from '../ranking/stop-words.ts';
import { tokensOf } from './tokens.ts';

const ends = /(?<=[.!?;])\s+|\n+|(?<=[。！？；])/;
const maxSentences = 12;
const minWords = 2;

export interface SearchOptions {
  /** Whether a tool may be found. */
  readonly admit?: (id: string) => boolean;
  /** Added to the score of a match, as a share of the best score. */
  readonly bonus?: (id: string) => number;
  /** The topic of the request. It counts in the ranking, but a tool may match without it. */
  readonly domain?: string;
}

/** A search index of tools. Incremental updates give the same results as a new index. */
export interface ToolIndex {
  /** The id must not be in the index yet. */
  add(id: string, tool: SearchedTool): void;
  remove(id: string): void;
  /** Indexes added tools, one per step. A search does the remaining steps. */
  settle(): Iterable<void>;
  /**
   * Several texts are parts of one request. When nothing surely matches, the hits are marked as the nearest.
   */
  search(request: string | readonly string[], limit: number, options?: SearchOptions): Hit[];
}

interface Entry {
  readonly id: string;
  readonly tool: SearchedTool;
}

/** Weight of the best part beside the whole. A person's sentences more often have different subjects than a model's queries. */
const sentenceWeight = 0.4;
const queryWeight = 0.2;

/** At least one of this many best tools must be an answer. */
const checkedTop = 3;

export function createToolIndex(): ToolIndex {
  const lengths = createFieldLengths();
  const grams = createGramIndex();
  const names = createNameIndex();
  let words = createWordIndex();
  /** The lengths that the words were indexed with. */
  let typicalLengths = lengths.typical();
  const entries: (Entry | undefined)[] = [];
  const places = new Map<string, number>();
  const free: number[] = [];
  const unsettled = new Set<number>();
  const ranking = createRanking({ words: () => words, grams }, () => entries.length);
  const inOrder = (a: number, b: number): number => (entries[a]!.id < entries[b]!.id ? -1 : 1);

  function* settle(): Generator<void> {
    if (lengths.typical() !== typicalLengths) {
      typicalLengths = lengths.typical();
      words = createWordIndex();
      for (const place of places.values()) unsettled.add(place);
    }
    for (const place of unsettled) {
      words.add(place, entries[place]!.tool, typicalLengths);
      unsettled.delete(place);
      yield;
    }
  }

  const addBonus = (scores: Float64Array, bonus: NonNullable<SearchOptions['bonus']>): void => {
    const maxScore = highestOf(scores);
    for (let at = 0; at < scores.length; at++)
      if (scores[at]! > 0) scores[at]! += bonus(entries[at]!.id) * maxScore;
  };

  /** Tools that a phrase of the request asks for come before tools that only share words with it. */
  const addPhrases = (scores: Float64Array, tools: readonly string[]): void => {
    const maxScore = highestOf(scores) || 1;
    for (const at of new Set(tools.flatMap((name) => [...names.called(name)]))) scores[at]! += maxScore;
  };

  return {
    add(id, tool) {
      const place = free.pop() ?? entries.length;
      entries[place] = { id, tool };
      places.set(id, place);
      lengths.add(tool);
      grams.add(place, tool);
      names.add(place, tool);
      unsettled.add(place);
    },
    remove(id) {
      const place = places.get(id);
      if (place === undefined) return;
      const { tool } = entries[place]!;
      lengths.remove(tool);
      grams.remove(place, tool);
      names.remove(place, tool);
      if (!unsettled.delete(place)) words.remove(place, tool, typicalLengths);
      entries[place] = undefined;
      places.delete(id);
      free.push(place);
    },
    settle,
    search(request, limit, { admit = () => true, bonus, domain = '' } = {}) {
      for (const _ of settle());
      const queries = typeof request === 'string' ? [request] : request;
      const whole = words.read([domain, ...queries].join('\n'));
      const parts = (queries.length > 1 ? queries : queries.flatMap(sentencesOf)).map((text) =>
        words.read(text),
      );
      const weightOfParts = queries.length > 1 ? queryWeight : sentenceWeight;
      const scores = ranking.scoresOf(whole, parts, weightOfParts);
      addPhrases(scores, whole.tools);
      if (bonus) addBonus(scores, bonus);
      const mayBeFound = (at: number): boolean => entries[at] !== undefined && admit(entries[at].id);
      const maxScore = highestOf(scores);
      const named = queries.map((text) => names.namedIn(text));
      const written = new Set(named.flatMap(({ written }) => written).filter(mayBeFound));
      for (const at of written) scores[at]! += maxScore || 1;
      const top = topOf(scores, Math.max(limit, checkedTop), mayBeFound, inOrder);
      const asked =
        parts.length > 0 ? parts : [whole, ...(domain === '' ? [] : queries.map((text) => words.read(text)))];
      const answers = (at: number): boolean =>
        asked.some((query) => words.answers(query, at, entries[at]!.tool));
      const isSure =
        top.slice(0, checkedTop).some(answers) || named.some(({ tools }) => tools.some(mayBeFound));
      const hits = top
        .slice(0, limit)
        .filter((at, place) => scores[at]! >= minScore * maxScore || (!isSure && place < maxNearest))
        .map((at) => ({
          id: entries[at]!.id,
          score: scores[at]! / scores[top[0]!]!,
          ...(written.has(at) && { named: true as const }),
        }));
      ranking.done(scores);
      return isSure ? hits : hits.map((hit) => ({ ...hit, nearest: true }));
    },
  };
}

/** The meaningful sentences of a request, if it has several: it asks for several things, or gives background first. */
function sentencesOf(text: string): string[] {
  const sentences = text
    .split(ends)
    .map((part) => part.trim())
    .filter((part) => tokensOf(part).filter(saysSomething).length >= minWords)
    .slice(0, maxSentences);
  return sentences.length > 1 ? sentences : [];
}

const saysSomething = (word: string): boolean => !stopWords.has(word) && !requestWords.has(word);
