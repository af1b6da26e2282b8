import type { Agent } from '../api/agent.ts';
import type { Scope } from '../api/source.ts';
import { homeSpace } from './find-agent.ts';
import type { SpaceAgent } from './space.ts';
import { toAgent } from './written-agent.ts';

const anyId = 'pegboard';

/** Who acts in a home that has no space `personal`, when nobody is named: with every tool, and as no agent of a file. */
export function unrestrictedAgent(home: string): SpaceAgent {
  const place = { id: anyId, space: homeSpace, folder: home, blockedTools: [] };
  const described = { name: 'Pegboard', description: 'Works with every tool of this home' };
  return { agent: toAgent(described, place), document: undefined };
}

/** With whose rights an agent's own calls run: of its modules, if it names any, what is neither blocked nor left out. */
export function agentScope({ id, blockedTools, modules, allowUntrusted }: Agent): Scope {
  return {
    identity: 'agent',
    ...(id !== anyId && { agent: id }),
    access: { blocked: blockedTools },
    ...(modules && { modules }),
    ...(allowUntrusted.length > 0 && { allowUntrusted }),
  };
}
