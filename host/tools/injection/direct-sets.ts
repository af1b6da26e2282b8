import type { Agent } from '../../api/agent.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { matchesTool } from '../../core/text/glob.ts';

/** The parts of an agent that decide which tools stay listed. */
export type DirectFor = Pick<Agent, 'role' | 'runtime' | 'modules'>;

interface DirectSet {
  /** Patterns over ids and bare names. */
  readonly tools: readonly string[];
  /** Absent: always. */
  readonly when?: (agent: DirectFor) => boolean;
}

/** Sets of tools that stay directly visible in discovery, wherever such tools are registered. */
const sets: readonly DirectSet[] = [
  { tools: ['memory.*', 'memory_*', 'remember'] },
  { tools: ['agent_spawn.*'], when: maySpawn },
  { tools: ['skills.*'] },
  { tools: ['watchers.*', 'watch_*'], when: ({ runtime }) => runtime.watchers },
  {
    tools: ['scheduler.*', 'schedule', 'cancel_schedule', 'remind', 'schedule_*'],
    when: ({ runtime }) => runtime.scheduler,
  },
  { tools: ['channels.*'], when: declares('channels') },
  { tools: ['workspace.*'], when: declares('workspace') },
];

/** Whether the agent's file lists the module under tools.modules. */
function declares(module: string): (agent: DirectFor) => boolean {
  return ({ modules }) => modules?.has(module) === true;
}

/** Whether the agent may start agents; for others the tool is refused, and so not listed. */
export function maySpawn({ role, modules }: Pick<DirectFor, 'role' | 'modules'>): boolean {
  return role === 'coordinator' || modules?.has('agent_spawn') === true;
}

/** Whether the tool stays listed in discovery. A server or space named "memory" doesn't qualify by its name alone. */
export function isDirect(tool: RegisteredTool, agent: DirectFor): boolean {
  if (agent.runtime.directModules.includes(tool.source.module)) return true;
  if (tool.source.kind !== 'builtin' && tool.source.kind !== 'plugin') return false;
  return sets.some(({ tools, when }) => matchesTool(tools, tool) && (when?.(agent) ?? true));
}
