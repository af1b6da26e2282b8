import type { WireTool } from '../../api/model.ts';
import type { JsonSchema } from '../../api/result.ts';
import type { RegisteredTool } from '../../api/tool.ts';

/** Characters: with a name and an open schema about 30 tokens. */
const maxLineLength = 80;

/** Accepts any arguments. Invalid ones are answered with the real schema. */
export const openSchema: JsonSchema = { type: 'object' };

const written = new WeakMap<RegisteredTool, Map<number, WireTool>>();

/** The tool's name and one line of at most `maxLength` characters. Cached. */
export function toCompact(tool: RegisteredTool, maxLength = maxLineLength): WireTool {
  const lines = written.get(tool) ?? new Map<number, WireTool>();
  written.set(tool, lines);
  let wire = lines.get(maxLength);
  if (!wire) {
    const description = maxLength === 0 ? '' : oneLine(tool.description, maxLength);
    wire = { name: tool.wireName, description, parameters: openSchema };
    lines.set(maxLength, wire);
  }
  return wire;
}

/** The first line, or its first sentence where that is long, or as many whole words as fit. */
export function oneLine(text: string, maxLength = maxLineLength): string {
  const line = text.trim().split('\n', 1)[0]!.replace(/\s+/g, ' ');
  if (line.length <= maxLength) return line;
  const sentence = /^.+?[.!?](?= )/.exec(line)?.[0];
  if (sentence !== undefined && sentence.length <= maxLength) return sentence;
  const cut = line.slice(0, maxLength - 1);
  const lastSpace = cut.lastIndexOf(' ');
  return `${(lastSpace > maxLength / 2 ? cut.slice(0, lastSpace) : cut).replace(/[\s,;:(–-]+$/, '')}…`;
}
