import type { RegisteredTool, Tool } from '../api/tool.ts';
import { lookUp } from '../tools/look-up.ts';
import { textResult } from '../tools/result.ts';
import { riskOf } from '../tools/risk.ts';
import type { MetaServices } from './services.ts';
import { toJson } from '../core/documents/written-numbers.ts';

export function getTool({ snapshot }: MetaServices): Tool<{ readonly name: string }> {
  return {
    name: 'get_tool',
    description: 'Full schema, risk, side effects and examples of one tool.',
    parameters: {
      type: 'object',
      properties: { name: { type: 'string', description: 'As search_tools gave it' } },
      required: ['name'],
    },
    annotations: { readOnlyHint: true },
    execute: ({ name }, { scope }) => textResult(toJson(describe(lookUp(snapshot(), name, scope)))),
  };
}

/** Empty keys are left out. */
function describe(tool: RegisteredTool): object {
  const { id, description, category, parameters, outputSchema, examples, aliases, tags, confirm } = tool;
  return {
    name: id,
    description,
    category: category ?? tool.source.module,
    risk: riskOf(tool),
    side_effects: sideEffectsOf(tool),
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
