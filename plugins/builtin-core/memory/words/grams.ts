/** Scripts that write words without spaces or, as in Korean, together with particles. */
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{M}々ー]+/gu;
const joined = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** For the index: the characters and character pairs of each such run. Empty for other texts. */
export function gramsOf(text: string): string {
  return runsOf(text)
    .flatMap((run) => [...run, ...pairsOf(run)])
    .join(' ');
}

/** For queries: pairs, or single characters that stand alone. */
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
