import { rarityInGeneral } from './ordinary-rarity.ts';
import type { Postings } from '../index/postings.ts';
import type { Query, QueryWord } from './query.ts';
import { ordinaryWordWeight } from './term-weight.ts';

/** What a word adds to a tool's score when it is well at home there; more than that covers it no better. */
const fullCover = 0.8;
/** A synonym is not the word itself; a neighbour of an unknown word, by its weight and this, nearly is. */
const synonymCovers = 0.4;
const neighbourCovers = 1.6;

/** What speaks for a tool being an answer to a request. */
export interface Evidence {
  /** The share of the request that the tool speaks of, 0 to 1, every word weighed by its rarity. */
  readonly share: number;
  /** The sum of those rarities. */
  readonly coveredRarity: number;
  /** The rarity of the rarest word that the tool is called by. */
  readonly named: number;
  /** The share that it speaks of what the request is about, its actions left out. 1 where those are all. */
  readonly subjects: number;
  /** How many words of the request it has, whatever their rarity. */
  readonly words: number;
}

const none: Evidence = { share: 0, coveredRarity: 0, named: 0, subjects: 0, words: 0 };

/**
 * Words are weighed by how rare they are in descriptions of tools in general, not among the tools here: in a small home
 * every word is rare. `titleWords`: stems of the tool's names.
 */
export function evidenceFor(
  { words }: Query,
  document: number,
  titleWords: ReadonlySet<string>,
  index: Postings,
): Evidence {
  let all = 0;
  let subjects = 0;
  let subjectsSpokenOf = 0;
  let isOnlyNumbers = true;
  /** Is a word of what the request is about there itself, and not only a synonym? Else its actions count less. */
  let isSpokenOf = !words.some(({ isSubject }) => isSubject);
  const said = new Set(words.map(({ term }) => term));
  const parts = words
    .map((word) => ({ word, weight: weightOf(word), cover: coverOf(word, document, index, said) }))
    .filter(({ weight }) => weight > 0);
  for (const { word, weight, cover } of parts) {
    all += weight;
    if (cover > 0 && !word.stems.every(isNumber)) isOnlyNumbers = false;
    if (!word.isSubject) continue;
    const coverOfSubject =
      word.actions.size === 0 ? cover : coverOf(word, document, index, said, word.actions);
    subjects += weight;
    subjectsSpokenOf += weight * coverOfSubject;
    if (coverOfSubject > synonymCovers) isSpokenOf = true;
  }
  // Sharing the action with a request about something is no answer to it, nor is sharing a number.
  if (all === 0 || isOnlyNumbers || (subjects > 0 && subjectsSpokenOf === 0)) return none;
  const share = subjects === 0 ? 1 : subjectsSpokenOf / subjects;
  let coveredRarity = 0;
  let named = 0;
  let count = 0;
  for (const { word, weight, cover } of parts) {
    const counts = word.isSubject || isSpokenOf ? 1 : share;
    coveredRarity += counts * weight * cover;
    count += counts * cover;
    if (word.stems.some((stem) => titleWords.has(stem))) named = Math.max(named, counts * weight);
  }
  return { share: coveredRarity / all, coveredRarity, named, subjects: share, words: count };
}

const isNumber = (stem: string): boolean => /^\d+$/.test(stem);

/** A word of any talk that tools don't use is no rarer for that: "please". */
const rarestOrdinary = 4;

function weightOf({ importance, stems }: QueryWord): number {
  const rarity = Math.min(...stems.map(rarityInGeneral));
  return importance * (importance === ordinaryWordWeight ? Math.min(rarity, rarestOrdinary) : rarity);
}

/**
 * A logistic regression over the evidence for the likeliest tool, fitted where the answer is known: requests of three
 * public collections, put to small homes that have a tool for them and to homes that have none (docs/search.md).
 */
const ofShare = 3.4;
const ofSpokenOf = 1.3;
const ofNamed = 0.5;
const ofSubjects = 1;
const ofWords = 1.9;
const bias = -7;

/** Is it more likely an answer than none? */
export function isAnswer({ share, coveredRarity, named, subjects, words }: Evidence): boolean {
  return (
    ofShare * share +
      ofSpokenOf * Math.log1p(coveredRarity) +
      ofNamed * Math.log1p(named) +
      ofSubjects * subjects +
      ofWords * Math.log1p(words) +
      bias >
    0
  );
}

function coverOf(
  { term, others, misspellings, stems }: QueryWord,
  document: number,
  index: Postings,
  said: ReadonlySet<number>,
  without?: ReadonlySet<number>,
): number {
  /** "post" as a synonym of "tweet", where the request says "post" itself. */
  const isTaken = (other: number): boolean => stems.length === 1 && said.has(other);
  if (term >= 0) {
    const own = coveredBy(index.valueOf(term, document));
    if (own === 1) return own;
    return Math.max(
      own,
      ...[...others.keys()].map((other) =>
        isTaken(other) ? 0 : synonymCovers * coveredBy(index.valueOf(other, document)),
      ),
    );
  }
  let cover = 0;
  for (const [other, weight] of others) {
    if (without?.has(other) || misspellings.has(other) || isTaken(other)) continue;
    const strength = Math.min(1, Math.max(synonymCovers, weight * neighbourCovers));
    cover = Math.max(cover, strength * coveredBy(index.valueOf(other, document)));
  }
  return cover;
}

const coveredBy = (impact: number): number => Math.min(1, impact / fullCover);
