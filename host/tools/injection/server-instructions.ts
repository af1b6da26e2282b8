import type { ToolSource } from '../../api/source.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';

/** Characters of all servers together: 2,000 tokens. */
const maxLength = 8_000;
/** Of a context window in tokens: an eightieth, as characters. */
const ofWindow = (contextWindow: number): number => Math.floor((contextWindow / 80) * 4);

/**
 * The approved instructions of MCP servers, each under its server's name. Undefined when there are none. Short
 * instructions leave their share of the space to the others.
 */
export function serverInstructions(sources: Iterable<ToolSource>, contextWindow: number): string | undefined {
  const said = [...new Set(sources)].flatMap(({ module, instructions }) => {
    const text = visibleText(instructions ?? '').trim();
    return text === '' ? [] : [{ module, text }];
  });
  let room = Math.min(maxLength, ofWindow(contextWindow));
  let left = said.length;
  const cut = new Map<string, string>();
  for (const { module, text } of said.toSorted((a, b) => a.text.length - b.text.length)) {
    const share = Math.floor(room / left--);
    const kept = text.length <= share ? text : `${text.slice(0, Math.max(0, share - 1))}…`;
    cut.set(module, kept);
    room -= kept.length;
  }
  const parts = said.map(({ module }) => `## ${module}\n\n${cut.get(module)!}`);
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}
