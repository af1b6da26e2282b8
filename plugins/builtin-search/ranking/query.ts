import { pairOf } from '../index/document-terms.ts';
import { takeMentions, type Mention } from './mentions.ts';
import type { Neighbours } from '../index/neighbours.ts';
import type { Postings } from '../index/postings.ts';
import { stem } from '../index/stem.ts';
import { lookingWords, requestWords, stopWords } from './stop-words.ts';
import { isEnglishStem } from './languages/is-english.ts';
import { synonyms } from './synonyms.ts';
import { isSubject, argumentWeight, ordinaryWordWeight, termWeight, wordWeight } from './term-weight.ts';
import { isCjk, tokensOf, wordsOf } from '../index/tokens.ts';
import { translate, type TranslatedWord } from './languages/translate.ts';

const requestWordWeight = 0.4;
const synonymWeight = 0.2;
const pairWeight = 0.4;
/** Of the words in the name of a file or page that a request mentions. */
const hintWeight = 0.6;
const mentionedWeight = 0.3;

/** A word of a request, and the terms of the index that match it. */
export interface QueryWord {
  /** Several are alternatives. */
  readonly stems: readonly string[];
  /** 1, less for words that only ask, 0 for words that don't count in the ranking. */
  readonly weight: number;
  /** How much it matters that a tool has this word: 0 to 1. */
  readonly importance: number;
  /** It names a subject, not only an action or a request. */
  readonly isSubject: boolean;
  /** Its own term, or -1: no tool has it, or it has several stems. */
  readonly term: number;
  /** Alternative terms, with their confidence. */
  readonly others: ReadonlyMap<number, number>;
  /** Those that are only spelled alike, when it is an English word itself: "part" for "cart". */
  readonly misspellings: ReadonlySet<number>;
  /** Those that begin with it, when it may be typed only in part: it is the whole request. */
  readonly endings: ReadonlySet<number>;
  /** Those that are only actions, when a subject may be meant. */
  readonly actions: ReadonlySet<number>;
}

export interface Query {
  /** In English. */
  readonly text: string;
  readonly words: readonly QueryWord[];
  /** Weight by term. */
  readonly terms: ReadonlyMap<number, number>;
  /** Words with alternatives: only the best term of each counts for a tool. */
  readonly choices: readonly ReadonlyMap<number, number>[];
  /** Names of our own tools that its phrases in another language ask for. */
  readonly tools: readonly string[];
}

/** A word of a request before it is looked up in an index. */
interface RequestWord extends Pick<QueryWord, 'stems' | 'weight' | 'importance' | 'isSubject'> {
  readonly actionStems?: readonly string[];
}

/** Converts a request to terms of an index. Each word counts once. Unknown words match their neighbours, all words their synonyms. */
export function toQuery(text: string, index: Postings, neighbours: Neighbours): Query {
  const { rest, mentions } = takeMentions(text);
  const isKnown = (token: string): boolean => known(index, stem(token)) >= 0;
  const translated = translate(
    rest,
    isKnown,
    mentions.flatMap(({ kinds }) => kinds),
    (token) => neighbours.of(stem(token)).some(({ word }) => word.startsWith(stem(token))),
  );
  const inWords = translated
    ? translated.words.map(wordOfTranslation)
    : rest.trim() === ''
      ? []
      : wordsOfText(rest);
  const isLook = wantsToSee(mentions, rest, translated?.words);
  const all = [
    ...(isLook ? [toRead, ...inWords.map(asLook)] : inWords),
    ...mentions.flatMap((mention) => wordsOfMention(mention, isKnown, isLook ? shareOfNames : 1)),
  ];
  const unique = new Map<string, RequestWord>();
  const pairs = new Map<number, number>();
  let previous: RequestWord | undefined;
  for (const word of all) {
    const key = word.stems.join(' ');
    const before = unique.get(key);
    unique.set(key, before ? stronger(before, word) : word);
    if (word.weight === 0) continue;
    for (const pair of pairsOf(previous, word)) {
      const term = known(index, pair);
      if (term >= 0) pairs.set(term, pairWeight);
    }
    previous = word;
  }
  const last = all.at(-1)?.stems.join(' ');
  const isOne =
    mentions.length === 0 && [...unique.values()].filter(({ weight }) => weight === 1).length === 1;
  const words = [...unique].map(([key, word]) => ({
    ...word,
    term: word.stems.length === 1 ? known(index, word.stems[0]!) : -1,
    others: alternativesTo(word.stems, index, neighbours, key === last),
    endings: isOne ? endingsOf(word.stems, index, neighbours) : new Set<number>(),
    misspellings: misspellingsOf(word.stems, index, neighbours),
    actions: new Set(word.actionStems?.map((action) => known(index, action))),
  }));
  const terms = termsOf(words, pairs);
  return {
    text:
      translated || mentions.length > 0
        ? [translated ? '' : rest, ...all.flatMap(({ stems, weight }) => (weight === 0 ? [] : stems))].join(
            ' ',
          )
        : text,
    words,
    terms,
    choices: choicesOf(words, terms),
    tools: translated?.tools ?? [],
  };
}

/** A request to look at something is a request to read it. */
const toRead: RequestWord = { stems: ['read'], weight: 1, importance: 1, isSubject: false };
/** Names count less then: they only say what is read. */
const shareOfNames = 0.3;

/** The other words of such a request only ask. */
const asLook = (word: RequestWord): RequestWord =>
  word.stems.includes('file')
    ? word
    : {
        ...word,
        weight: Math.min(word.weight, requestWordWeight),
        importance: Math.min(word.importance, ordinaryWordWeight),
        isSubject: false,
      };

/** Whether it mentions a file or page, and asks only to look at it. */
function wantsToSee(
  mentions: readonly Mention[],
  rest: string,
  translated: readonly TranslatedWord[] | undefined,
): boolean {
  const words =
    translated?.filter(({ isNamed }) => !isNamed).map(({ forms }) => forms) ??
    tokensOf(rest).map((token) => [token]);
  if (!mentions.some(({ kinds }) => kinds.length > 0) && !words.some((forms) => forms.includes('file')))
    return false;
  return words.every((forms) =>
    forms.some((form) => lookingWords.has(form) || stopWords.has(form) || /^\d+$/.test(form)),
  );
}

function wordsOfText(text: string): RequestWord[] {
  const importanceOf = termWeight(text);
  return wordsOf(text).map((token) => ({
    stems: [stem(token)],
    weight: requestWords.has(token) ? requestWordWeight : 1,
    importance: importanceOf(token),
    isSubject: isSubject(token),
  }));
}

/** The kind counts like a word of the request; the name says nothing about the action. */
function wordsOfMention(
  { kinds, hints, names }: Mention,
  isKnown: (token: string) => boolean,
  share: number,
): RequestWord[] {
  const word = (token: string, weight: number, importance: number): RequestWord => ({
    stems: [stem(token)],
    weight,
    importance,
    isSubject: importance > 0,
  });
  return [
    ...kinds.map((token) => word(token, 1 / kinds.length, 1 / kinds.length)),
    ...hints.map((token) => word(token, share * hintWeight, isKnown(token) ? argumentWeight : 0)),
    ...names.map((token) => word(token, share * mentionedWeight, 0)),
  ];
}

function wordOfTranslation({ forms, isStrange, isNamed }: TranslatedWord): RequestWord {
  const isNumber = forms.every((form) => /^\d+$/.test(form));
  return {
    stems: [...new Set(forms.map(stem))],
    weight: isNamed ? 0 : 1,
    importance: isStrange || isNumber ? argumentWeight : Math.max(...forms.map(wordWeight)),
    isSubject: !isStrange && forms.some(isSubject),
    actionStems: forms.filter((form) => !isSubject(form)).map(stem),
  };
}

const stronger = (a: RequestWord, b: RequestWord): RequestWord => ({
  ...a,
  weight: Math.max(a.weight, b.weight),
  importance: Math.max(a.importance, b.importance),
  isSubject: a.isSubject || b.isSubject,
});

function pairsOf(previous: RequestWord | undefined, { stems }: RequestWord): string[] {
  if (!previous) return [];
  return previous.stems.flatMap((first) =>
    stems.filter((second) => second !== first && !isCjk(second)).map((second) => pairOf(first, second)),
  );
}

function alternativesTo(
  stems: readonly string[],
  index: Postings,
  neighbours: Neighbours,
  isLast: boolean,
): Map<number, number> {
  const others = new Map<number, number>();
  const add = (word: string, weight: number): void => {
    const term = known(index, word);
    if (term >= 0) others.set(term, Math.max(weight, others.get(term) ?? 0));
  };
  const [only] = stems;
  if (stems.length > 1) {
    for (const word of stems) add(word, 1);
    return others;
  }
  for (const synonym of synonyms.get(only!) ?? []) add(synonym, synonymWeight);
  if (known(index, only!) >= 0) return others;
  for (const { word, weight } of neighbours.of(only!)) add(word, weight);
  if (isLast) for (const { word, weight } of neighbours.beginningWith(only!)) add(word, weight);
  return others;
}

/** Of a beginning of at least four letters that is no word of a tool. */
function endingsOf(stems: readonly string[], index: Postings, neighbours: Neighbours): Set<number> {
  const [only] = stems;
  if (stems.length > 1 || known(index, only!) >= 0) return new Set();
  const longer = neighbours.of(only!).filter(({ word }) => word.startsWith(only!));
  return new Set(longer.map(({ word }) => known(index, word)));
}

function misspellingsOf(stems: readonly string[], index: Postings, neighbours: Neighbours): Set<number> {
  const [only] = stems;
  if (stems.length > 1 || known(index, only!) >= 0 || !isEnglishStem(only!)) return new Set();
  const misspellings = neighbours
    .of(only!)
    .filter(
      ({ word }) => !word.startsWith(only!) && !only!.startsWith(word) && !synonyms.get(only!)?.has(word),
    );
  return new Set(misspellings.map(({ word }) => known(index, word)));
}

/** A word of the request is not counted again as another word's synonym. */
function termsOf(words: readonly QueryWord[], pairs: ReadonlyMap<number, number>): Map<number, number> {
  const terms = new Map(pairs);
  for (const { term, weight } of words) if (term >= 0 && weight > 0) terms.set(term, weight);
  const own = new Set(terms.keys());
  for (const { weight, others, stems } of words) {
    if (weight === 0 || stems.length > 1) continue;
    for (const [term, share] of others) {
      if (!own.has(term)) terms.set(term, Math.max(weight * share, terms.get(term) ?? 0));
    }
  }
  return terms;
}

/** Without those that are already in `terms`. */
function choicesOf(
  words: readonly QueryWord[],
  terms: ReadonlyMap<number, number>,
): ReadonlyMap<number, number>[] {
  const all = new Set(terms.keys());
  return words
    .filter(({ stems, weight }) => stems.length > 1 && weight > 0)
    .map(({ weight, others }) => {
      const choice = new Map<number, number>();
      for (const [term, share] of others) {
        if (all.has(term)) continue;
        all.add(term);
        choice.set(term, weight * share);
      }
      return choice;
    });
}

/** -1 when no tool has it. */
function known(index: Postings, term: string): number {
  const id = index.find(term);
  return id >= 0 && index.count(id) > 0 ? id : -1;
}
