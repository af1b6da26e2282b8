import type { Agent } from '../api/agent.ts';
import type { Host } from '../host.ts';

/** Who answers where no agent is named. Undefined while that agent's file is broken, which is a diagnostic of its own. */
export function defaultAgent(host: Host): Agent | undefined {
  try {
    return host.spaces.agentFor();
  } catch {
    return undefined;
  }
}
