import type { Snapshot, TextVectors } from 'pegboard';
import { meaningTextOf } from '../index/fields.ts';

/**
 * Embeddings of sources, by id: of their descriptions and of their tools, which may say more than a one-word description.
 * For MCP servers, which may have thousands of tools, only of the description.
 */
export async function packVectors(
  { sources, tools }: Snapshot,
  vectors: TextVectors,
): Promise<ReadonlyMap<string, readonly Float32Array[]>> {
  const texts = sources.map(({ id, description }) => ({ id, text: description }));
  for (const tool of tools.values()) {
    const { id, kind, alwaysLoad } = tool.source;
    if (kind === 'mcp' || alwaysLoad) continue;
    texts.push({ id, text: meaningTextOf(tool) });
  }
  const made = await vectors.cached(texts.map(({ text }) => text));
  const bySource = new Map<string, Float32Array[]>();
  for (const [at, vector] of made?.entries() ?? []) {
    const { id } = texts[at]!;
    bySource.set(id, [...(bySource.get(id) ?? []), vector]);
  }
  return bySource;
}
