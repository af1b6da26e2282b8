import type { User } from '../core/platform/places.ts';
import type { Agent } from '../api/agent.ts';
import type { Scope } from '../api/source.ts';
import { defaultSpace } from './find-agent.ts';
import type { SpaceAgent } from './space.ts';
import { toAgent } from './written-agent.ts';

/**
 * The default agent of a home without a space `personal`. It has no file and may use every tool. Its id is the one that
 * the agent of that space gets, so it keeps its name when the first file of the space is made.
 */
export function unrestrictedAgent(home: string, { userHome }: User): SpaceAgent {
  const place = { id: defaultSpace, space: defaultSpace, folder: home, file: '', blockedTools: [], userHome };
  const described = { name: 'Pegboard', description: 'Works with every tool of this home' };
  return { agent: toAgent(described, place), document: undefined };
}

/** The scope of an agent's own calls: the tools of its modules, if it names any, without blocked ones. */
export function agentScope({ id, blockedTools, modules, allowUntrusted, permissions }: Agent): Scope {
  return {
    identity: 'agent',
    agent: id,
    access: { blocked: blockedTools },
    ...(modules && { modules }),
    ...(allowUntrusted.length > 0 && { allowUntrusted }),
    ...(permissions && { permissions }),
  };
}
