import type { Agent } from '../api/agent.ts';
import type { Converse } from '../api/conversation.ts';
import type { Tool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import { answerSchema, delegateTask } from './delegate-task.ts';
import { noTimeoutSeconds } from './no-timeout.ts';
import { extendLineage } from './lineage.ts';
import { textResult } from '../tools/result.ts';
import type { StructuredOutput } from '../tools/structure.ts';

interface Args {
  readonly agent: string;
  readonly task: string;
  readonly context?: string;
}

export interface AgentServices {
  readonly converse: Converse;
  /** The home's current agents. */
  readonly agents: () => readonly Pick<Agent, 'id' | 'name' | 'description' | 'role' | 'modules'>[];
}

const outputSchema = {
  type: 'object',
  properties: {
    ...answerSchema.properties,
    agents: {
      type: 'array',
      description: 'For the agent "?".',
      items: {
        type: 'object',
        required: ['id', 'description'],
        properties: { id: { type: 'string' }, description: { type: 'string' } },
      },
    },
  },
} as const;

export function callApp({ converse, agents }: AgentServices): Tool<Args> {
  return {
    name: 'call_app',
    description: 'Hand a task to another agent of this home and get its answer. agent "?" lists them.',
    parameters: {
      type: 'object',
      properties: {
        agent: { type: 'string' },
        task: {
          type: 'string',
          maxLength: 40_000,
          description: 'Everything it needs to know: it sees nothing of this conversation',
        },
        context: { type: 'string', maxLength: 40_000, description: 'Material for the task' },
      },
      required: ['agent', 'task'],
      additionalProperties: false,
    },
    outputSchema,
    timeout: noTimeoutSeconds,
    async execute({ agent: wanted, task, context }, call): Promise<StructuredOutput<typeof outputSchema>> {
      const known = agents();
      const agent = known.find(({ id }) => id === wanted) ?? known.find(({ name }) => name === wanted);
      if (!agent && wanted !== '?') return refuse(wanted, known);
      if (!agent)
        return textResult(listed(known), {
          agents: known.map(({ id, description }) => ({ id, description })),
        });
      const text = context === undefined ? task : `${task}\n\nContext:\n${context}`;
      return await delegateTask(converse, call, {
        name: agent.id,
        agent: agent.id,
        text,
        context: extendLineage(call, agent.id, { once: true }),
      });
    },
  };
}

type Known = ReturnType<AgentServices['agents']>;

function refuse(wanted: string, known: Known): never {
  const ids = known.map(({ id }) => id);
  const [near] = nearest(wanted, ids);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `There is no agent "${wanted}".${hint} There are:\n${listed(known)}`,
    {
      data: { agents: ids },
    },
  );
}

function listed(known: Known): string {
  if (known.length === 0) return 'There is no other agent.';
  return known.map(({ id, description }) => `- ${id}: ${description}`).join('\n');
}
