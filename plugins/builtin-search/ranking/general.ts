import type { JsonSchema, RegisteredTool } from 'pegboard';
import { rarityInGeneral } from './ordinary-rarity.ts';
import { stem } from '../index/stem.ts';
import { wordsOf } from '../index/tokens.ts';

/**
 * Sorts tools by generality, for requests that match none of them. Tools that only read come first; then those with a
 * single free text ("query"), those that reach the open world (MCP's `openWorldHint`), and those whose names have more
 * common words. The first of each module come before the others.
 */
export function mostGeneral(tools: Iterable<RegisteredTool>): RegisteredTool[] {
  const ranked = [...tools]
    .map((tool) => ({ tool, breadth: breadthOf(tool), rarity: rarityOf(tool.name) }))
    .sort((a, b) => b.breadth - a.breadth || a.rarity - b.rarity || (a.tool.id < b.tool.id ? -1 : 1))
    .map(({ tool }) => tool);
  const modules = new Map(ranked.toReversed().map((tool) => [tool.source.module, tool]));
  const first = new Set(modules.values());
  return [...ranked.filter((tool) => first.has(tool)), ...ranked.filter((tool) => !first.has(tool))];
}

const ofReading = 4;
const ofFreeText = 2;
const ofOpenWorld = 1;

function breadthOf({ annotations, parameters }: RegisteredTool): number {
  return (
    (annotations?.readOnlyHint ? ofReading : 0) +
    (takesOneText(parameters) ? ofFreeText : 0) +
    (annotations?.openWorldHint ? ofOpenWorld : 0)
  );
}

function takesOneText({ properties, required }: JsonSchema): boolean {
  const [name, ...others] = Array.isArray(required) ? (required as readonly unknown[]) : [];
  if (typeof name !== 'string' || others.length > 0) return false;
  const schema = (properties as Record<string, JsonSchema | undefined> | undefined)?.[name];
  return schema?.['type'] === 'string' && schema['enum'] === undefined && schema['format'] === undefined;
}

/** The average of its words. */
function rarityOf(name: string): number {
  const words = wordsOf(name);
  return words.reduce((sum, word) => sum + rarityInGeneral(stem(word)), 0) / Math.max(1, words.length);
}
