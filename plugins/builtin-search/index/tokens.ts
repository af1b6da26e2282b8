import { memoize } from '../ranking/memoize.ts';
import { stopWords } from '../ranking/stop-words.ts';

const cjk = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/;
const cjkRuns = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+/g;
const plain = /^(?:\p{Lu}?\p{Ll}*|\p{Lu}+|\d+|[\p{Lo}\p{Lm}]+)$/u;
const ascii = /^[\x00-\x7f]*$/;
/** Longer words, or words with more parts, are not typed as one: their joined form is left out. */
const maxJoinedLength = 24;
const maxJoinedParts = 3;

export const isCjk = (word: string): boolean => cjk.test(word);

/**
 * The words of prose and of names, in order, in lowercase and without accents. "createIssue", "create-issue" and
 * "create_issue" have the same two. A word that mixes cases or digits also gives its joined form: "GitHub" is github,
 * git and hub. Chinese, Japanese and Korean have no spaces: each run gives its characters and its pairs.
 */
export function tokensOf(text: string): string[] {
  if (text === '') return [];
  const tokens: string[] = [];
  let rest = text;
  if (!ascii.test(text)) {
    rest = text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC');
    rest = rest.replace(cjkRuns, (run) => {
      pushCharactersAndPairs(run, tokens);
      return ' ';
    });
  }
  if (/[’']/.test(rest)) rest = rest.replace(/[’']s\b/g, '');
  for (const word of rest.match(/[\p{L}\d]+/gu) ?? []) for (const part of partsOf(word)) tokens.push(part);
  return tokens;
}

/** Without stop words, unless there are no others: a tool may be named "which". */
export function wordsOf(text: string): readonly string[] {
  const tokens = tokensOf(text);
  const words = tokens.filter((token) => !stopWords.has(token));
  return words.length > 0 ? words : tokens;
}

function pushCharactersAndPairs(run: string, tokens: string[]): void {
  const characters = Array.from(run);
  tokens.push(...characters);
  for (let at = 1; at < characters.length; at++) tokens.push(characters[at - 1]! + characters[at]!);
}

/** Splits a word into its parts. */
const partsOf = memoize((word): readonly string[] => {
  const joined = word.toLowerCase();
  if (plain.test(word)) return [joined];
  const parts = word
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .replace(/(\d)(\p{L})/gu, '$1 $2')
    .toLowerCase()
    .split(' ');
  const isShort = joined.length <= maxJoinedLength;
  const whole = isShort && parts.length <= maxJoinedParts ? [joined] : [];
  if (parts.length === 1) return whole;
  // The digit of "s3" alone says nothing.
  const isLoneDigit = (part: string): boolean => /^\d+$/.test(part) && parts.length < 3 && isShort;
  return [...whole, ...parts.filter((part) => part.length > 1 && !isLoneDigit(part))];
});
