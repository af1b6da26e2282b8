import type { Arguments, ForcedArms } from '../evaluate.ts';
import {
  itemOf,
  type BlockNode,
  type CommandParameter,
  type Parameters,
  type TemplateNode,
} from './template.ts';

/** A harmless value for every parameter, so that a template can be checked before any call. */
export function sampleArguments(parameters: Parameters): Arguments {
  const args: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, parameter] of parameters) args[name] = sampleOf(parameter);
  return args;
}

function sampleOf(parameter: CommandParameter): unknown {
  const { type, enum: allowed } = parameter;
  if (type === 'array') return [sampleOf(itemOf(parameter)), sampleOf(itemOf(parameter))];
  const first = allowed?.[0];
  if (first !== undefined) return first;
  if (type === 'boolean') return true;
  return type === 'number' || type === 'integer' ? 1 : 'v';
}

/**
 * The branches to force so that each is walked: all bodies, the `{{else}}` of every block once, and all of them
 * together.
 */
export function sampleRuns(nodes: readonly TemplateNode[]): ForcedArms[] {
  const blocks = blocksOf(nodes);
  if (blocks.length === 0) return [new Map()];
  const single = blocks.map(({ within, id }): ForcedArms => {
    return new Map([...within.map(({ block, taken }) => [block, taken] as const), [id, false]]);
  });
  return [new Map(), ...single, new Map(blocks.map(({ id }) => [id, false]))];
}

function blocksOf(nodes: readonly TemplateNode[]): BlockNode[] {
  return nodes.flatMap((node) =>
    node.kind === 'if' || node.kind === 'each'
      ? [node, ...blocksOf(node.body), ...blocksOf(node.otherwise)]
      : [],
  );
}
