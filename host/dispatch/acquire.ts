import type { CallRequest } from '../api/dispatch.ts';
import type { Lease, Registry } from '../api/source.ts';
import { isVisible } from '../tools/access.ts';
import { invisible, notFound } from '../tools/look-up.ts';

/** Finds and leases the tool. Throws PEG_TOOL_NOT_FOUND with near names, PEG_TOOL_UNAVAILABLE when this caller may not use it. */
export function acquire(registry: Registry, { name, scope }: CallRequest): Lease {
  const lease = registry.acquire(name);
  if (!lease) throw notFound(registry.snapshot, name, scope);
  if (isVisible(lease.tool, scope)) return lease;
  lease[Symbol.dispose]();
  throw invisible(registry.snapshot, name, lease.tool, scope);
}
