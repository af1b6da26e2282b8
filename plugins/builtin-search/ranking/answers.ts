import { rarityInGeneral } from './ordinary-rarity.ts';
import type { Postings } from '../index/postings.ts';
import type { Query, QueryWord } from './query.ts';
import { ordinaryWordWeight } from './term-weight.ts';

/** The score from which a word is fully covered by a tool. */
const fullCover = 0.8;
/** A synonym covers a word partly; a neighbour of an unknown word by its weight times this. */
const synonymCovers = 0.4;
const neighbourCovers = 1.6;

/** Evidence that a tool answers a request. */
export interface Evidence {
  /** The share of the request that the tool covers, 0 to 1, with words weighted by rarity. */
  readonly share: number;
  /** The rarities of the covered words, summed. */
  readonly coveredRarity: number;
  /** The rarity of the rarest word in the tool's names. */
  readonly named: number;
  /** The covered share of the request's subjects. 1 when there are only actions. */
  readonly subjects: number;
  /** How many words of the request it covers, whatever their rarity. */
  readonly words: number;
}

const none: Evidence = { share: 0, coveredRarity: 0, named: 0, subjects: 0, words: 0 };

/**
 * Words are weighted by their rarity in descriptions of tools in general, not in this home: in a small home every word is
 * rare. `titleWords`: stems of the tool's names.
 */
export function evidenceFor(
  { words }: Query,
  document: number,
  titleWords: ReadonlySet<string>,
  index: Postings,
): Evidence {
  let all = 0;
  let subjects = 0;
  let coveredSubjects = 0;
  let isOnlyNumbers = true;
  /** Whether a subject itself is covered, not only by a synonym. Otherwise actions count less. */
  let isSubjectCovered = !words.some(({ isSubject }) => isSubject);
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
    coveredSubjects += weight * coverOfSubject;
    if (coverOfSubject > synonymCovers) isSubjectCovered = true;
  }
  // Sharing only the action, or only a number, is no answer to a request with a subject.
  if (all === 0 || isOnlyNumbers || (subjects > 0 && coveredSubjects === 0)) return none;
  const share = subjects === 0 ? 1 : coveredSubjects / subjects;
  let coveredRarity = 0;
  let named = 0;
  let count = 0;
  for (const { word, weight, cover } of parts) {
    const counts = word.isSubject || isSubjectCovered ? 1 : share;
    coveredRarity += counts * weight * cover;
    count += counts * cover;
    if (word.stems.some((stem) => titleWords.has(stem)) || isBegunIn(word, titleWords))
      named = Math.max(named, counts * weight);
  }
  return { share: coveredRarity / all, coveredRarity, named, subjects: share, words: count };
}

/** Whether a name has a word that begins with what may be typed only in part. */
const isBegunIn = ({ endings, stems: [only] }: QueryWord, titleWords: ReadonlySet<string>): boolean =>
  endings.size > 0 && [...titleWords].some((title) => title.startsWith(only!));

const isNumber = (stem: string): boolean => /^\d+$/.test(stem);

/** Limits the rarity of everyday words that tools don't use: "please". */
const rarestOrdinary = 4;

function weightOf({ importance, stems }: QueryWord): number {
  const rarity = Math.min(...stems.map(rarityInGeneral));
  return importance * (importance === ordinaryWordWeight ? Math.min(rarity, rarestOrdinary) : rarity);
}

/**
 * A logistic regression over the evidence for the best tool, fitted to requests of three public collections with known
 * answers, in small homes with and without a matching tool (docs/search.md).
 */
const ofShare = 3.4;
const ofCoveredRarity = 1.3;
const ofNamed = 0.5;
const ofSubjects = 1;
const ofWords = 1.9;
const bias = -7;

/** Whether the tool more likely answers the request than not. */
export function isAnswer({ share, coveredRarity, named, subjects, words }: Evidence): boolean {
  return (
    ofShare * share +
      ofCoveredRarity * Math.log1p(coveredRarity) +
      ofNamed * Math.log1p(named) +
      ofSubjects * subjects +
      ofWords * Math.log1p(words) +
      bias >
    0
  );
}

function coverOf(
  { term, others, misspellings, endings, stems }: QueryWord,
  document: number,
  index: Postings,
  said: ReadonlySet<number>,
  without?: ReadonlySet<number>,
): number {
  /** "post" as a synonym of "tweet", when the request contains "post" itself. */
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
    const strength = endings.has(other) ? 1 : Math.min(1, Math.max(synonymCovers, weight * neighbourCovers));
    cover = Math.max(cover, strength * coveredBy(index.valueOf(other, document)));
  }
  return cover;
}

const coveredBy = (impact: number): number => Math.min(1, impact / fullCover);
