import type { RegistryServer } from './entry.ts';

/** The last part of a name: "weather" of "io.github.owner/weather". */
export const shortNameOf = (name: string): string => name.slice(name.indexOf('/') + 1);

/**
 * Each server once, in its newest version, best first: those that match the most words, and among these the ones with
 * the words in their name. If some match all words, the others are left out. Deleted servers are left out too.
 */
export function rankServers(
  servers: readonly RegistryServer[],
  words: readonly string[],
): readonly RegistryServer[] {
  const newest = new Map<string, RegistryServer>();
  for (const server of servers) {
    const known = newest.get(server.name);
    if (!known || (server.isLatest === true && known.isLatest !== true)) newest.set(server.name, server);
  }
  const wanted = words.map((word) => word.toLowerCase());
  const ranked = [...newest.values()]
    .filter(({ status }) => status !== 'deleted')
    .map((server) => ({ server, ...fitOf(server, wanted) }))
    .filter(({ matched }) => matched > 0 || wanted.length === 0);
  const maxMatched = Math.max(0, ...ranked.map(({ matched }) => matched));
  return ranked
    .filter(({ matched }) => maxMatched < wanted.length || matched === maxMatched)
    .toSorted((a, b) => b.matched - a.matched || b.points - a.points)
    .map(({ server }) => server);
}

function fitOf(
  { name, title = '', description, status }: RegistryServer,
  wanted: readonly string[],
): { readonly matched: number; readonly points: number } {
  const short = shortNameOf(name).toLowerCase();
  const other = `${title} ${description} ${name}`.toLowerCase();
  const matched = wanted.filter((word) => other.includes(word)).length;
  const inName = wanted.filter((word) => short.includes(word)).length;
  const exact = short === wanted.join('-') ? 5 : 0;
  return { matched, points: inName + exact - (status === 'deprecated' ? 3 : 0) };
}
