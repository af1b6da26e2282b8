import type { SearchTools } from '../api/services/search.ts';
import type { Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { maxNearest } from './shown-results.ts';

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
/** A smaller share of the words is no sure match. */
const sureShare = 0.5;

/** Ranks by the share of the words that a tool's name and description have. For a home without a plugin that searches. */
export const createPlainSearch =
  (current: () => Snapshot): SearchTools =>
  async (asked, limit, admit = () => true) => {
    const { queries, domain, server, category } = typeof asked === 'string' ? { queries: [asked] } : asked;
    const words = new Set([...queries, domain ?? '', server ?? ''].flatMap(wordsOf));
    const scored = [...current().tools.values()]
      .filter((tool) => category === undefined || [tool.category, tool.source.module].includes(category))
      .filter(admit)
      .map((tool) => ({ tool, score: shareIn(tool, words) }))
      .toSorted((a, b) => b.score - a.score);
    const found = scored.filter(({ score }) => score > sureShare);
    const nearest = scored.slice(0, maxNearest).map((one) => ({ ...one, nearest: true as const }));
    return (found.length > 0 ? found : nearest).slice(0, limit);
  };

function shareIn(
  { id, description, aliases = [], tags = [] }: RegisteredTool,
  words: ReadonlySet<string>,
): number {
  const own = new Set(wordsOf([id, description, ...aliases, ...tags].join(' ')));
  return words.size === 0 ? 0 : words.intersection(own).size / words.size;
}
