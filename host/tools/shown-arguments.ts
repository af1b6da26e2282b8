import type { InnerCallParameters, RegisteredTool, Tool } from '../api/tool.ts';
import { hasSecrets, hidden, hideSecretArguments, mapChildren } from '../core/secrets/secret-arguments.ts';

type Shown = Pick<Tool, 'parameters' | 'innerCalls'>;
type Find = (name: string) => RegisteredTool | undefined;

/** Levels of tools that run tools; deeper arguments are hidden. */
const maxDepth = 8;

/** Whether arguments of this tool, or of a tool that it runs, may be secret. */
export function mayHoldSecrets({ parameters, innerCalls = [] }: Shown): boolean {
  return innerCalls.length > 0 || hasSecrets(parameters);
}

/**
 * Arguments as they may be shown and recorded: values that the tool, or one that it runs, marks as secret are hidden.
 * Accepts anything that a model may write. Returns the same object when nothing is secret.
 */
export function shownArguments(tool: Shown, args: unknown, find: Find): unknown {
  return mayHoldSecrets(tool) ? show(tool, args, find, 0) : args;
}

function show(tool: Shown, args: unknown, find: Find, depth: number): unknown {
  const own = hideSecretArguments(tool.parameters, args);
  const { innerCalls = [] } = tool;
  if (innerCalls.length === 0 || own === null || own === undefined) return own;
  if (typeof own !== 'object' || depth === maxDepth) return hidden;
  return innerCalls.reduce((shown, call) => showCarried(shown, call, find, depth), own);
}

function showCarried(
  args: object,
  { in: list, tool, args: carried }: InnerCallParameters,
  find: Find,
  depth: number,
): object {
  const showOne = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return hidden;
    const name = (one as { readonly [name: string]: unknown })[tool];
    const inner = typeof name === 'string' ? find(name) : undefined;
    if (!inner) return one;
    return mapChildren(one, (child, key) => (key === carried ? show(inner, child, find, depth + 1) : child));
  };
  if (list === undefined) return showOne(args) as object;
  return mapChildren(args, (child, key) => {
    if (key !== list) return child;
    return Array.isArray(child) ? mapChildren(child, showOne) : hidden;
  });
}
