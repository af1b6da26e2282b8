import { parseJson, type Access, type AgentDirectory, type Limits, type Scope } from 'pegboard';
import type { Watcher } from './tables.ts';

/** The stored rights of a watcher. */
export interface WatcherRights {
  readonly identity: Scope['identity'];
  readonly agent?: string;
  readonly access: Access;
  readonly within?: readonly Limits[];
}

export function rightsOf({ identity, agent, access, within }: Scope): WatcherRights {
  return { identity, access, ...(agent !== undefined && { agent }), ...(within && { within }) };
}

/**
 * The scope of a watcher: what its creator was allowed at creation and its agent is allowed now. Throws PEG_USAGE when the
 * agent is gone.
 */
export function currentScope({ rights }: Watcher, agents: AgentDirectory): Scope {
  const { identity, agent, access, within } = parseJson(rights) as WatcherRights;
  if (agent === undefined || identity === 'host')
    return { identity, access, ...(agent !== undefined && { agent }), ...(within && { within }) };
  const now = agents.scopeFor(agent);
  const blocked = [...(access.blocked ?? []), ...(now.access.blocked ?? [])];
  return { ...now, access: { blocked }, ...(within && { within }) };
}
