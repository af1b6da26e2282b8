import type { Postings } from './postings.ts';
import type { Query, QueryWord } from './query.ts';

/** What a word adds to a tool's score when it is well at home there; more than that covers it no better. */
const atHome = 0.8;
/** A synonym is not the word itself; a neighbour of an unknown word, by its weight and this, nearly is. */
const synonymCovers = 0.4;
const neighbourCovers = 1.6;

/**
 * The share of a request that a tool speaks of, 0 to 1: the words that it has, weighed by how rare they are and how
 * telling. A word that nothing at all is found for weighs as much as the rarest. A tool that shares only the action with
 * a request about something speaks of nothing in it.
 */
export function coverageOf(
  { words }: Query,
  document: number,
  index: Postings,
  rarity: (count: number) => number,
): number {
  let all = 0;
  let covered = 0;
  let subjects = 0;
  let coveredSubjects = 0;
  for (const word of words) {
    const weight = word.telling * rarity(word.term < 0 ? 0 : index.count(word.term));
    all += weight;
    const cover = coverOf(word, document, index);
    covered += weight * cover;
    if (!word.isSubject) continue;
    subjects++;
    coveredSubjects += cover;
  }
  if (all === 0 || (subjects > 0 && coveredSubjects === 0)) return 0;
  return covered / all;
}

/**
 * Is what is asked for foreign to all tools here? Then the one word that a tool happens to share says nothing: "remove the
 * wasp nest under our roof" is not about nested folders. A word counts as foreign that no tool has nor anything near it in
 * this one; only words that say something count. An index that has few of the usual words can't tell.
 */
export function isForeign({ words }: Query, document: number, index: Postings, familiarity: number): boolean {
  if (familiarity < leastFamiliarity) return false;
  let shared = 0;
  let foreign = 0;
  for (const word of words) {
    if (!word.isSubject || word.telling < 1) continue;
    const cover = coverOf(word, document, index);
    shared += cover;
    if (cover === 0 && word.term < 0) foreign++;
  }
  return foreign >= fewestForeign && shared < leastShared * (shared + foreign);
}

/** Share of the usual words that some tool must have before a word that none has is strange. */
const leastFamiliarity = 0.5;
/** One such word may be a name, or what the tool is to be used on. */
const fewestForeign = 2;
const leastShared = 0.3;

function coverOf({ term, others }: QueryWord, document: number, index: Postings): number {
  if (term >= 0) {
    const own = coveredBy(index.valueOf(term, document));
    if (own === 1) return own;
    return Math.max(
      own,
      ...[...others.keys()].map((other) => synonymCovers * coveredBy(index.valueOf(other, document))),
    );
  }
  let cover = 0;
  for (const [other, weight] of others) {
    const strength = Math.min(1, Math.max(synonymCovers, weight * neighbourCovers));
    cover = Math.max(cover, strength * coveredBy(index.valueOf(other, document)));
  }
  return cover;
}

const coveredBy = (impact: number): number => Math.min(1, impact / atHome);

/**
 * The share that a request of so many words must have covered before its tool is an answer. Two words out of five say
 * what is wanted; a long request tells a story, and one word of it may be what matters. Set where the collections that
 * it was tuned on lose next to nothing.
 */
export function neededCoverage(length: number): number {
  return Math.min(mostNeeded, neededBy / length ** 2);
}

const mostNeeded = 0.4;
const neededBy = 12;
