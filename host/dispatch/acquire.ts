import type { CallRequest } from '../api/dispatch.ts';
import type { Lease, Registry } from '../api/source.ts';
import { PegboardError } from '../core/errors.ts';
import { isVisible } from '../tools/access.ts';

/** Finds and holds the tool. Throws PEG_TOOL_NOT_FOUND with near names, PEG_TOOL_UNAVAILABLE when this caller may not use it. */
export function acquire(registry: Registry, { name, scope }: CallRequest): Lease {
  const lease = registry.acquire(name);
  if (!lease) throw notFound(registry, name, scope);
  if (isVisible(lease.tool, scope)) return lease;
  lease[Symbol.dispose]();
  throw new PegboardError('PEG_TOOL_UNAVAILABLE', `${lease.tool.id} is not available to this caller.`);
}

function notFound({ snapshot }: Registry, name: string, scope: CallRequest['scope']): PegboardError {
  const near = snapshot.suggest(name).filter((id) => isVisible(snapshot.tools.get(id)!, scope));
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return new PegboardError('PEG_TOOL_NOT_FOUND', `There is no tool "${name}".${hint}`, {
    data: { suggestions: near },
  });
}
