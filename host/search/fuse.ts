import type { Hit } from './hit.ts';

/** Several rankings in one: by the best place that something has in any of them, then by its score there. */
export function fuse(rankings: readonly (readonly Hit[])[], limit: number): Hit[] {
  const [only] = rankings;
  if (rankings.length === 1) return only!.slice(0, limit);
  const best = new Map<string, { readonly hit: Hit; readonly place: number }>();
  for (const ranking of rankings) {
    ranking.forEach((hit, place) => {
      const known = best.get(hit.id);
      const better = !known || place < known.place || (place === known.place && hit.score > known.hit.score);
      if (better) best.set(hit.id, { hit, place });
    });
  }
  return [...best.values()]
    .sort((a, b) => a.place - b.place || b.hit.score - a.hit.score)
    .slice(0, limit)
    .map(({ hit }) => hit);
}
