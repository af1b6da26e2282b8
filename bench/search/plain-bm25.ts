import type { SearchedTool } from '../../plugins/builtin-search/index/fields.ts';
import type { Find } from './measures.ts';

const saturation = 1.2;
const lengthCounts = 0.75;

/** The baseline: textbook BM25 over the words of name, description and parameters. */
export function plainBm25(tools: ReadonlyMap<string, SearchedTool>): Find {
  const ids = [...tools.keys()];
  const documents = [...tools.values()].map((tool) =>
    wordsOf(`${tool.name} ${tool.description} ${JSON.stringify(tool.parameters['properties'] ?? '')}`),
  );
  const averageLength = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  const postings = new Map<string, Map<number, number>>();
  documents.forEach((words, at) => {
    for (const word of words) {
      const held = postings.get(word) ?? new Map<number, number>();
      held.set(at, (held.get(at) ?? 0) + 1);
      postings.set(word, held);
    }
  });
  return (text, limit) => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(text))) {
      const held = postings.get(word);
      if (!held) continue;
      const rarity = Math.log(1 + (documents.length - held.size + 0.5) / (held.size + 0.5));
      for (const [at, times] of held) {
        const length = 1 - lengthCounts + (lengthCounts * documents[at]!.length) / averageLength;
        const score = (rarity * times * (saturation + 1)) / (times + saturation * length);
        scores.set(at, (scores.get(at) ?? 0) + score);
      }
    }
    const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit);
    return { ids: best.map(([at]) => ids[at]!), isSure: best.length > 0 };
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
