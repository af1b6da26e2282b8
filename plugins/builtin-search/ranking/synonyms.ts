import { stem } from '../index/stem.ts';
import topics from './synonyms.json' with { type: 'json' };

/**
 * Stems of synonyms, by stem. A group is words that stand in for one another in requests and descriptions of tools, by
 * topic. Written from general knowledge, not from recorded queries. A word may be in several groups; synonymy is not
 * transitive between groups.
 */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = readGroups(Object.values(topics).flat());

function readGroups(lines: readonly string[]): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const line of lines) {
    const group = new Set(line.split(' ').map(stem));
    for (const word of group) {
      const others = related.get(word) ?? new Set();
      for (const other of group) if (other !== word) others.add(other);
      related.set(word, others);
    }
  }
  return related;
}
