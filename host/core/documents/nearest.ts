import { editDistance } from '../text/edit-distance.ts';

const maxWordLength = 200;

/** The candidates nearest to `word` by edit distance, nearest first. Only those that are close enough to be meant. */
export function nearest(word: string, candidates: Iterable<string>, limit = 1): string[] {
  // Longer than any real name. The cost of the distance is the product of both lengths.
  if (word.length > maxWordLength) return [];
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
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
