import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { isVisible } from './access.ts';

/** The tool that `name` means to this caller, in any form. Throws as `notFound` and `invisible` say. */
export function lookUp(snapshot: Snapshot, name: string, scope: Scope): RegisteredTool {
  const tool = snapshot.find(name);
  if (!tool) throw notFound(snapshot, name, scope);
  if (!isVisible(tool, scope)) throw invisible(snapshot, name, tool, scope);
  return tool;
}

/** PEG_TOOL_NOT_FOUND, with near names among those that this caller may see. */
export function notFound(snapshot: Snapshot, name: string, scope: Scope): PegboardError {
  const near = snapshot.suggest(name).filter((id) => isVisible(snapshot.tools.get(id)!, scope));
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  // To whom a scope is confined, what is outside is as good as not there.
  const doubt = scope.within ? ', or it is not available to this caller' : '';
  return new PegboardError('PEG_TOOL_NOT_FOUND', `There is no tool "${name}"${doubt}.${hint}`, {
    data: { suggestions: near },
  });
}

/** PEG_TOOL_UNAVAILABLE; where a scope is confined, the same as for a name that nothing has. */
export function invisible(
  snapshot: Snapshot,
  name: string,
  { id }: RegisteredTool,
  scope: Scope,
): PegboardError {
  if (scope.within) return notFound(snapshot, name, scope);
  return new PegboardError('PEG_TOOL_UNAVAILABLE', `${id} is not available to this caller.`);
}
