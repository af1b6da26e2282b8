import { stem } from '../index/stem.ts';
import { actions } from './synonyms/actions.ts';
import { documents } from './synonyms/documents.ts';
import { life } from './synonyms/life.ts';
import { media } from './synonyms/media.ts';
import { money } from './synonyms/money.ts';
import { people } from './synonyms/people.ts';
import { places } from './synonyms/places.ts';
import { science } from './synonyms/science.ts';
import { software } from './synonyms/software.ts';
import { work } from './synonyms/work.ts';

/**
 * Groups of synonyms in requests and descriptions of tools, by topic. Written from general knowledge, not from recorded
 * queries. A word may be in several groups; synonymy is not transitive between groups.
 */
const topics = [actions, people, money, places, life, media, documents, software, work, science];

/** Stems of synonyms, by stem. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = readGroups(
  topics.flatMap((topic) => topic.trim().split('\n')),
);

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
