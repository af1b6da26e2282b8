import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { admitsModule, isVisible } from './access.ts';

/** The tool with this name, in any form. Throws the errors of `notFound` and `invisible`. */
export function lookUp(snapshot: Snapshot, name: string, scope: Scope): RegisteredTool {
  const tool = snapshot.find(name);
  if (!tool) throw notFound(snapshot, name, scope);
  if (!isVisible(tool, scope)) throw invisible(snapshot, name, tool, scope);
  return tool;
}

/** PEG_TOOL_NOT_FOUND with similar names that this caller may see, or the source's reason for not listing it. */
export function notFound(snapshot: Snapshot, name: string, scope: Scope): Error {
  const missing = whyMissing(snapshot, name, scope);
  if (missing) return missing;
  const near = snapshot.suggest(name).filter((id) => isVisible(snapshot.tools.get(id)!, scope));
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  // A confined scope must not learn what exists outside it.
  const doubt = scope.within ? ', or it is not available to this caller' : '';
  return new PegboardError('PEG_TOOL_NOT_FOUND', `There is no tool "${name}"${doubt}.${hint}`, {
    data: { suggestions: near },
  });
}

/** PEG_TOOL_UNAVAILABLE; for a confined scope the same error as for an unknown name. */
export function invisible(snapshot: Snapshot, name: string, { id }: RegisteredTool, scope: Scope): Error {
  if (scope.within) return notFound(snapshot, name, scope);
  return new PegboardError('PEG_TOOL_UNAVAILABLE', `${id} is not available to this caller.`);
}

/** The source's reason for not listing a tool of its module. */
export function whyMissing({ sources }: Snapshot, name: string, scope: Scope): Error | undefined {
  const plain = name.replace(/^mcp__(?:pegboard__)?/, '');
  for (const source of sources) {
    if (!source.whyMissing || !admitsModule(source.module, scope)) continue;
    const joint = ['.', '__'].find((one) => plain.startsWith(`${source.module}${one}`));
    if (joint === undefined) continue;
    const why = source.whyMissing(plain.slice(source.module.length + joint.length));
    if (why) return why;
  }
  return undefined;
}
