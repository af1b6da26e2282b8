import type { Tool, ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
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
          maxLength: 40_000,
          description: 'Everything it needs to know: it sees nothing of this conversation',
        },
        instructions: { type: 'string', maxLength: 40_000, description: 'Who it is and how it is to work' },
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
        context: { ...(tools && { tools }), ...extendLineage(call, 'worker') },
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
