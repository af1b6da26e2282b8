import { join } from 'node:path';
import {
  identityFiles,
  PegboardError,
  type Agent,
  type AgentDirectory,
  type IdentityPart,
  type Scope,
  pegboard,
} from 'pegboard';

/** In the order in which they are shown. */
export const identityParts = Object.keys(identityFiles) as readonly IdentityPart[];

/** Absolute path of an identity file of the acting agent's space. Throws PEG_TOOL_FAILED when it has no space. */
export function identityPath(agents: AgentDirectory, scope: Scope, part: IdentityPart): string {
  const agent: Agent = agents.agentFor(scope.agent);
  if (agent.space === '') {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `No agent with a space acts here. \`${pegboard} new space NAME\` makes one; choose it with --agent.`,
    );
  }
  return join(agent.folder, 'agent', identityFiles[part]);
}
