import type { Tool, ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { matchesGlob } from '../core/text/glob.ts';
import type { AgentServices } from './call-app.ts';
import { answerSchema, delegateTask } from './delegate-task.ts';
import { noTimeoutSeconds } from './no-timeout.ts';
import { extendLineage } from './lineage.ts';

interface Args {
  readonly task: string;
  readonly instructions?: string;
  readonly tools?: readonly string[];
}

/** For coordinators. The worker is the caller's own agent in a new conversation, limited to the named tools. */
export function spawnAgent({ converse, agents }: AgentServices): Tool<Args> {
  return {
    name: 'agent',
    description:
      'Have a fresh worker do a task on its own and report back. Several run at once in run_parallel.',
    aliases: ['agent_spawn', 'spawn_agent'],
    parameters: {
      type: 'object',
      properties: {
        task: {
          type: 'string',
          description: 'Everything it needs to know: it sees nothing of this conversation',
        },
        instructions: { type: 'string', description: 'Who it is and how it is to work' },
        tools: {
          type: 'array',
          items: { type: 'string' },
          description: 'Ids or patterns of the only tools it may use; absent: yours',
        },
      },
      required: ['task'],
      additionalProperties: false,
    },
    outputSchema: answerSchema,
    timeout: noTimeoutSeconds,
    async execute({ task, instructions, tools }, call) {
      const agent = call.turn?.agent ?? call.scope.agent;
      refuseOthers(agent, call, agents);
      return await delegateTask(converse, call, {
        name: 'worker',
        agent,
        text: instructions === undefined ? task : `${instructions}\n\nYour task:\n${task}`,
        context: { ...toolsFor(call, tools), ...extendLineage(call, 'worker') },
      });
    },
  };
}

/** Allowed for the owner at the terminal, and for agents whose file says so. */
function refuseOthers(id: string | undefined, { scope }: ToolCall, agents: AgentServices['agents']): void {
  if (scope.identity === 'host') return;
  const agent = agents().find((known) => known.id === id);
  if (agent?.role === 'coordinator' || agent?.modules?.has('agent_spawn')) return;
  throw new PegboardError(
    'PEG_DENIED',
    `Only a coordinator may start agents, and ${id ?? 'this caller'} isn't one: its agent.yaml would have to say \`role: coordinator\`. Do the task yourself.`,
  );
}

/** `context.tools` of the worker's message. A caller with narrowed tools can pass on only those. Throws PEG_DENIED. */
function toolsFor(
  call: ToolCall,
  wanted: readonly string[] | undefined,
): { readonly tools?: readonly string[] } {
  const given = call.turn?.message.context?.['tools'];
  const own = Array.isArray(given) ? (given as readonly string[]) : undefined;
  if (!own) return wanted === undefined ? {} : { tools: wanted };
  const beyond = (wanted ?? []).filter((tool) => !own.some((pattern) => covers(pattern, tool)));
  if (beyond.length === 0) return { tools: wanted ?? own };
  throw new PegboardError(
    'PEG_DENIED',
    `You can't pass on ${beyond.join(', ')}: you have only ${own.join(', ')}.`,
  );
}

/** Whether a pattern admits everything that another pattern or name does. */
function covers(pattern: string, other: string): boolean {
  return matchesGlob(pattern, other) || other.startsWith(`${pattern}.`);
}
