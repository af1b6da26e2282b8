import { computed, signal } from '@preact/signals';
import type { ToolRow } from '../../../wire.ts';
import { get } from '../../api.ts';
import { reading } from '../../live/reading.ts';

interface Answer {
  readonly registry: number;
  readonly tools: readonly ToolRow[];
}

export const allTools = reading<Answer>('tools');

/** What is typed into the search field. */
export const query = signal('');
/** Ids that the host found for `query`, best first; undefined until it answers. */
const ranked = signal<readonly string[] | undefined>(undefined);

/** Made once for all searches: folding 10,000 texts at each letter takes too long. */
const folded = computed(() =>
  (allTools.value.value?.tools ?? []).map((tool) => ({ tool, text: fold(`${tool.id} ${tool.summary}`) })),
);
const toolsById = computed(() => new Map((allTools.value.value?.tools ?? []).map((tool) => [tool.id, tool])));

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}{1,8}/gu, '')
    .toLowerCase();
}

/** What fits by letters is there at once; what the host finds by meaning comes a moment later, and goes first. */
export const foundTools = computed((): readonly ToolRow[] => {
  const words = fold(query.value).split(/\s+/).filter(Boolean);
  if (words.length === 0) return allTools.value.value?.tools ?? [];
  const byLetters = folded.value
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map(({ tool }) => tool);
  if (!ranked.value) return byLetters;
  const first = ranked.value.map((id) => toolsById.value.get(id)).filter((tool) => tool !== undefined);
  const known = new Set(first);
  return [...first, ...byLetters.filter((tool) => !known.has(tool))];
});

/** Milliseconds without another letter after which the host is asked. */
const restMs = 60;

/** Asks the host for `query`; the returned function gives up. */
export function rank(): () => void {
  const wanted = query.value.trim();
  ranked.value = undefined;
  if (wanted === '') return () => undefined;
  const stop = new AbortController();
  const ask = async (): Promise<void> => {
    try {
      const { ids } = await get<{ readonly ids: readonly string[] }>(
        `search?q=${encodeURIComponent(wanted)}`,
        stop.signal,
      );
      if (!stop.signal.aborted) ranked.value = ids;
    } catch {
      // What was found by letters stays.
    }
  };
  const timer = setTimeout(() => void ask(), restMs);
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
