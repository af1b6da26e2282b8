import { editDistance } from '../text/edit-distance.ts';

const maxWordLength = 200;
/** A candidate that begins with the word, or has it as one of its own words, is nearer than one with any typing mistake. */
const completion = 0.5;

/**
 * The candidates nearest to `word`, nearest first, and only those that are close enough to be meant: the same but for its
 * case; completions, the shortest first; then by Damerau-Levenshtein distance, of at most two fifths of the word's length.
 * Of equally distant ones that with a letter more or less comes before that with another letter, as in git and TypeScript.
 */
export function nearest(word: string, candidates: Iterable<string>, limit = 1): string[] {
  // Longer than any real name. The cost of the distance is the product of both lengths.
  if (word.length > maxWordLength) return [];
  const wanted = word.toLowerCase();
  // Nearly every short name is one edit from a single letter.
  const furthest = wanted.length < 2 ? 0 : Math.max(1, Math.floor(wanted.length * 0.4));
  const found: { readonly candidate: string; readonly distance: number; readonly tie: number }[] = [];
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const difference = Math.abs(other.length - wanted.length);
    if (other === wanted) found.push({ candidate, distance: 0, tie: 0 });
    else if (completes(candidate, wanted)) found.push({ candidate, distance: completion, tie: difference });
    else {
      const distance = editDistance(wanted, other, furthest);
      if (distance <= furthest) found.push({ candidate, distance, tie: -difference });
    }
  }
  return found
    .sort((a, b) => a.distance - b.distance || a.tie - b.tie || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Does one of the candidate's words begin with it? "timeout" is one in "turnTimeout" and "turn_timeout". */
function completes(candidate: string, wanted: string): boolean {
  if (wanted.length < 3) return false;
  const other = candidate.toLowerCase();
  for (let at = other.indexOf(wanted); at !== -1; at = other.indexOf(wanted, at + 1)) {
    const border = candidate.slice(Math.max(0, at - 1), at + 1);
    if (at === 0 || /^[^\p{L}\p{N}]|^[\p{Ll}\p{N}]\p{Lu}/u.test(border)) return true;
  }
  return false;
}
