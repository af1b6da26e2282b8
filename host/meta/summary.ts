import type { JsonSchema } from '../api/result.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { oneLine } from '../tools/injection/compact.ts';
import { riskOf, type Risk } from '../tools/risk.ts';
import { toJson } from '../core/documents/written-numbers.ts';

/** One tool in a list that a model reads. */
export interface ToolSummary {
  readonly name: string;
  readonly description: string;
  readonly risk: Risk;
}

/** The same for programs. */
export const summarySchema = {
  type: 'object',
  required: ['name', 'description', 'risk'],
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    risk: { type: 'string' },
  },
} as const;

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
export function linesOf(items: readonly object[]): string {
  return items.length === 0 ? '[]' : `[\n${items.map((item) => toJson(item)).join(',\n')}\n]`;
}
