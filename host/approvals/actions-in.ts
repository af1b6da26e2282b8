import { readDocument } from '../core/documents/document.ts';
import { splitFrontMatter } from '../core/documents/front-matter.ts';

/** The commands, functions and calls that a manifest or an agent's file makes something run, as it writes them. */
export function actionsIn(name: string, text: string): readonly string[] {
  const format = name.endsWith('.json') ? 'json' : 'yaml';
  if (!/\.(?:md|ya?ml|json)$/.test(name)) return [];
  const parts = name.endsWith('.md') ? splitFrontMatter(text, name) : { head: text };
  if ('code' in parts) return [];
  return [...runsIn(readDocument(parts.head, { path: name, format }).value)];
}

function* runsIn(value: unknown): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* runsIn(item);
  else if (value !== null && typeof value === 'object') {
    const { server, tool, id } = value as { readonly [key: string]: unknown };
    for (const [key, item] of Object.entries(value)) {
      if (['command', 'handler', 'action'].includes(key) && typeof item === 'string') yield item;
      else if (key === 'mcp' && item === true) yield `${String(server)}.${String(tool ?? id)}`;
      else yield* runsIn(item);
    }
  }
}
