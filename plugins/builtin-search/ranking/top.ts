/**
 * The indexes of the `limit` highest scores above 0 that `admit` accepts, highest first. Ties are sorted by `inOrder`.
 * `admit` is called only for scores that are high enough.
 */
export function topOf(
  scores: Float64Array,
  limit: number,
  admit: (at: number) => boolean,
  inOrder: (a: number, b: number) => number,
): number[] {
  const top: number[] = [];
  if (limit < 1) return top;
  const isBefore = (a: number, b: number): boolean =>
    scores[a]! > scores[b]! || (scores[a] === scores[b] && inOrder(a, b) < 0);
  let minKept = 0;
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at]!;
    if (score <= 0 || score < minKept) continue;
    const full = top.length === limit;
    if ((full && !isBefore(at, top[limit - 1]!)) || !admit(at)) continue;
    let place = full ? limit - 1 : top.length;
    for (; place > 0 && isBefore(at, top[place - 1]!); place--) top[place] = top[place - 1]!;
    top[place] = at;
    if (top.length === limit) minKept = scores[top[limit - 1]!]!;
  }
  return top;
}

export function highestOf(scores: Float64Array): number {
  let maxScore = 0;
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at]!;
    if (score > maxScore) maxScore = score;
  }
  return maxScore;
}

/** Scales all so that the highest becomes `height`. */
export function scaleTo(scores: Float64Array, height: number): void {
  const maxScore = highestOf(scores);
  if (maxScore === 0) return;
  const factor = height / maxScore;
  for (let at = 0; at < scores.length; at++) scores[at]! *= factor;
}

/** Adds `scores`, scaled so that their highest is `height`, to `sum`. */
export function addScaled(sum: Float64Array, scores: Float64Array, height: number): void {
  const maxScore = highestOf(scores);
  if (maxScore === 0) return;
  const factor = height / maxScore;
  for (let at = 0; at < scores.length; at++) sum[at]! += factor * scores[at]!;
}
