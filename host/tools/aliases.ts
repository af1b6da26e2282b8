import type { RegisteredTool } from '../api/tool.ts';

/** Of a tool with two names, keeps the first, or the other where `prefersSecond`. Both can be called. */
export function withoutAliases(
  tools: readonly RegisteredTool[],
  prefersSecond: (second: RegisteredTool) => boolean = () => false,
): readonly RegisteredTool[] {
  const ids = new Set(tools.map(({ id }) => id));
  const seconds = tools.filter(({ sameAs }) => sameAs !== undefined && ids.has(sameAs));
  const left = new Set(seconds.map((second) => (prefersSecond(second) ? second.sameAs! : second.id)));
  return tools.filter(({ id }) => !left.has(id));
}
