import { stemmer } from 'stemmer';
import kinds from './kinds-of-things.json' with { type: 'json' };
import { wordsOf } from './words.ts';

/**
 * Everyday words for kinds of things: a question about sports is answered by a message about rowing. The keys of the file
 * are words of questions, what they lead to words of answers.
 */
interface Kind {
  /** Stems of the words in questions. */
  readonly asked: ReadonlySet<string>;
  readonly answers: readonly string[];
}

const kindsOfThings: readonly Kind[] = Object.entries(kinds).map(([asked, answers]) => ({
  asked: new Set(asked.split(' ').map(stemmer)),
  answers: answers.split(' '),
}));

/** Words of the kinds that a word stands for. */
export function answersTo(word: string): readonly string[] {
  const stem = stemmer(word);
  return kindsOfThings.flatMap(({ asked, answers }) => (asked.has(stem) ? answers : []));
}

/** For each kind in a question, its words that are not in the question. */
export function kindsIn(question: string): readonly (readonly string[])[] {
  const words = new Set(wordsOf(question).map(stemmer));
  return kindsOfThings
    .filter(({ asked }) => !asked.isDisjointFrom(words))
    .map(({ answers }) => answers.filter((answer) => !words.has(stemmer(answer))));
}
