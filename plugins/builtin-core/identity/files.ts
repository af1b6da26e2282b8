import { join } from 'node:path';
import { PegboardError, type Agent, type AgentDirectory, type Scope } from 'pegboard';

/** Who an agent is, and whom it talks with; each has a file of its space. */
export const identityParts = ['soul', 'identity', 'user'] as const;
export type IdentityPart = (typeof identityParts)[number];
export const identityFiles = {
  soul: 'SOUL.md',
  identity: 'IDENTITY.md',
  user: 'USER.md',
} as const satisfies { readonly [part in IdentityPart]: string };

/** Characters that a file may have: it goes out with every request. */
export const maxIdentityLength = 8_000;

/** Absolute path of a part of the acting agent's space. Throws PEG_TOOL_FAILED where it acts in none. */
export function identityPath(agents: AgentDirectory, scope: Scope, part: IdentityPart): string {
  const agent: Agent = agents.agentFor(scope.agent);
  if (agent.space === '') {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      'No agent acts here that has a space. Make one with `pegboard new space`, and name it with --agent.',
    );
  }
  return join(agent.folder, 'agent', identityFiles[part]);
}
