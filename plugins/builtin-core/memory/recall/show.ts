import { showDay } from '../day.ts';
import type { Memory } from '../memories.ts';
import { minSimilarity, type Recalled } from './recall.ts';

/** "(preference) User prefers dark mode (87% match)" */
export function inPreamble({ category, content, similarity }: Recalled): string {
  return `(${category}) ${oneLine(content)}${percent(similarity)}`;
}

/** "#12 (preference) User prefers dark mode [ui, theme], 1 Mar 2026 (87% match)" */
export function showMemory(memory: Recalled, timezone: string): string {
  const { id, category, content, tags, createdAt, similarity } = memory;
  const labels = tags.length > 0 ? ` [${tags.join(', ')}]` : '';
  const state = stateOf(memory, timezone);
  return `#${id} (${category}) ${oneLine(content)}${labels}, ${showDay(createdAt, timezone)}${state}${percent(similarity)}`;
}

function stateOf({ archivedAt, supersededBy, expiresAt }: Memory, timezone: string): string {
  if (archivedAt !== undefined) return ', forgotten';
  if (supersededBy !== undefined) return `, superseded by #${supersededBy}`;
  if (expiresAt === undefined) return '';
  const over = Date.parse(expiresAt) <= Date.now();
  return `, ${over ? 'expired' : 'until'} ${showDay(expiresAt, timezone)}`;
}

const percent = (similarity: number | undefined): string =>
  similarity === undefined || similarity < minSimilarity ? '' : ` (${Math.round(similarity * 100)}% match)`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
