import type { JsonSchema, ToolResult } from '../api/result.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { oneLine } from '../tools/injection/compact.ts';
import { textResult } from '../tools/result.ts';
import { riskOf, type Risk } from '../tools/risk.ts';
import { toJson } from '../core/documents/written-numbers.ts';

/** One tool in a list that a model reads. */
export interface ToolSummary {
  readonly name: string;
  readonly description: string;
  readonly risk: Risk;
}

/** Characters of a description in a list. */
const maxDescriptionLength = 100;

export function summaryOf(tool: RegisteredTool): ToolSummary {
  return {
    name: tool.id,
    description: oneLine(tool.description, maxDescriptionLength),
    risk: riskOf(tool),
  };
}

/** "path*, offset, limit": enough to guess a call. Required parameters are starred. */
export function parametersOf({ parameters }: RegisteredTool): string {
  const { properties, required } = parameters as {
    readonly properties?: { readonly [name: string]: JsonSchema };
    readonly required?: readonly string[];
  };
  return Object.keys(properties ?? {})
    .map((name) => (required?.includes(name) ? `${name}*` : name))
    .join(', ');
}

/** Compact JSON with one item per line. */
export function listResult(items: readonly object[]): ToolResult {
  return textResult(linesOf(items));
}

export function linesOf(items: readonly object[]): string {
  return items.length === 0 ? '[]' : `[\n${items.map((item) => toJson(item)).join(',\n')}\n]`;
}
