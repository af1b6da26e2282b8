/** Scripts whose words stand together without spaces, or, in Korean, with what belongs to them. */
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{M}々ー]+/gu;
const joined = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** For the index: of every such run its characters and its pairs of characters. Empty for other texts. */
export function gramsOf(text: string): string {
  return runsOf(text)
    .flatMap((run) => [...run, ...pairsOf(run)])
    .join(' ');
}

/** What the index is asked for: pairs, or a character that stands alone. */
export function askedGrams(text: string): readonly string[] {
  return [...new Set(runsOf(text).flatMap((run) => (run.length === 1 ? run : pairsOf(run))))];
}

function runsOf(text: string): readonly (readonly string[])[] {
  if (!joined.test(text)) return [];
  const found = text.normalize('NFKC').match(runs) ?? [];
  return found.filter((run) => joined.test(run)).map((run) => Array.from(run));
}

const pairsOf = (run: readonly string[]): readonly string[] =>
  run.slice(1).map((character, at) => `${run[at]}${character}`);
