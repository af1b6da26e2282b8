import type MiniSearch from 'minisearch';
import type { Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';

export interface Found {
  readonly tool: RegisteredTool;
  readonly score: number;
}

/** Searches the newest snapshot; its index is built at the first query after a change. A query that matches nothing finds nothing. */
export type SearchTools = (
  query: string,
  limit: number,
  admit?: (tool: RegisteredTool) => boolean,
) => Promise<readonly Found[]>;

const weights = {
  name: 4,
  aliases: 4,
  tags: 2,
  category: 2,
  module: 2,
  description: 1,
  parameters: 0.7,
  source: 0.3,
};
const fields = Object.keys(weights);

export function createKeywordSearch(current: () => Snapshot): SearchTools {
  let indexed: { readonly snapshot: Snapshot; readonly index: MiniSearch } | undefined;
  return async (query, limit, admit = () => true) => {
    const snapshot = current();
    if (indexed?.snapshot !== snapshot) indexed = { snapshot, index: await buildIndex(snapshot) };
    const hits = indexed.index.search(query, {
      boost: weights,
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    });
    return hits
      .map((hit) => ({ tool: snapshot.tools.get(String(hit.id))!, score: hit.score }))
      .filter(({ tool }) => admit(tool))
      .slice(0, limit);
  };
}

async function buildIndex(snapshot: Snapshot): Promise<MiniSearch> {
  const { default: Index } = await import('minisearch');
  const index = new Index({ fields, tokenize: splitWords });
  index.addAll([...snapshot.tools.values()].map(toDocument));
  return index;
}

function toDocument(tool: RegisteredTool): Record<string, string> {
  const properties = Object.entries(
    (tool.parameters['properties'] as Record<string, { description?: string }> | undefined) ?? {},
  );
  return {
    id: tool.id,
    name: `${tool.name} ${tool.title ?? ''}`,
    aliases: tool.aliases?.join(' ') ?? '',
    tags: tool.tags?.join(' ') ?? '',
    category: tool.category ?? '',
    module: tool.source.module,
    description: tool.description,
    parameters: properties.map(([name, schema]) => `${name} ${schema?.description ?? ''}`).join(' '),
    source: tool.source.description,
  };
}

/** Words of prose and of names: "createIssue", "create-issue" and "create_issue" hold the same two. */
function splitWords(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
