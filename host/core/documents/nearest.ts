const longestWord = 200;

/** The candidates nearest to `word` by edit distance, nearest first; only ones near enough to be meant. */
export function nearest(word: string, candidates: Iterable<string>, limit = 1): string[] {
  // Nothing that has a name here is longer, and the distance costs the product of both lengths.
  if (word.length > longestWord) return [];
  const wanted = word.toLowerCase();
  const furthest = Math.max(1, Math.floor(wanted.length * 0.4));
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const distance =
      other.includes(wanted) && wanted.length >= 3 ? 0.5 : editDistance(wanted, other, furthest);
    if (distance <= furthest) found.push({ candidate, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Optimal string alignment: insert, delete, replace, swap of neighbours. Gives up above `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
      }
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
