import type { RegisteredTool, Tool } from '../api/tool.ts';
import { lookUp } from '../tools/look-up.ts';
import { textResult } from '../tools/result.ts';
import type { StructuredOutput, StructureOf } from '../tools/structure.ts';
import { riskOf } from '../tools/risk.ts';
import type { MetaServices } from './services.ts';
import { toJson } from '../core/documents/written-numbers.ts';

const describedTool = {
  type: 'object',
  required: ['name', 'description', 'category', 'risk', 'parameters'],
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    category: { type: 'string' },
    risk: { type: 'string' },
    side_effects: { type: 'string' },
    confirm: { type: 'string' },
    parameters: { type: 'object', additionalProperties: true },
    output: { type: 'object', additionalProperties: true },
    examples: { type: 'array', items: {} },
    aliases: { type: 'array', items: { type: 'string' } },
    tags: { type: 'array', items: { type: 'string' } },
    server_instructions: { type: 'string' },
  },
} as const;

export function getTool({ snapshot }: MetaServices): Tool<{ readonly name: string }> {
  return {
    name: 'get_tool',
    description: 'Full schema, risk, side effects and examples of one tool.',
    parameters: {
      type: 'object',
      properties: { name: { type: 'string', description: 'As search_tools gave it' } },
      required: ['name'],
    },
    outputSchema: describedTool,
    annotations: { readOnlyHint: true },
    execute({ name }, { scope }): StructuredOutput<typeof describedTool> {
      const described = describe(lookUp(snapshot(), name, scope));
      return textResult(toJson(described), described);
    },
  };
}

/** Empty keys are left out. */
function describe(tool: RegisteredTool): StructureOf<typeof describedTool> {
  const { id, description, category, parameters, outputSchema, examples, aliases, tags, confirm } = tool;
  const sideEffects = sideEffectsOf(tool);
  return {
    name: id,
    description,
    category: category ?? tool.source.module,
    risk: riskOf(tool),
    ...(sideEffects !== undefined && { side_effects: sideEffects }),
    ...(confirm && { confirm: 'the user is asked before it runs' }),
    parameters,
    ...(outputSchema && { output: outputSchema }),
    ...(examples?.length && { examples }),
    ...(aliases?.length && { aliases }),
    ...(tags?.length && { tags }),
    ...(tool.source.instructions !== undefined && { server_instructions: tool.source.instructions }),
  };
}

/** In words; undefined where the tool doesn't say. */
function sideEffectsOf({ annotations = {} }: RegisteredTool): string | undefined {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const said = [
    readOnlyHint && 'none, only reads',
    !readOnlyHint && destructiveHint && 'may destroy',
    !readOnlyHint && destructiveHint === false && 'only adds',
    !readOnlyHint && idempotentHint && 'may be repeated',
    openWorldHint && 'reaches outside',
  ].filter(Boolean);
  return said.length > 0 ? said.join(', ') : undefined;
}
