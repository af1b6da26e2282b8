import type { Kysely } from 'kysely';
import type { ToolUse, UsageGroup, UsageLine, UsageRange, UsageSum } from '../../api/store/usage.ts';
import type { Tables } from '../database/schema.ts';

export type { UsageGroup, UsageLine, UsageRange, UsageSum };
export const usageGroups = ['day', 'model', 'agent', 'source'] as const satisfies readonly UsageGroup[];

export function totalOf(lines: readonly UsageSum[]): UsageSum {
  const sum = (key: keyof UsageSum): number => lines.reduce((total, line) => total + line[key], 0);
  return {
    calls: sum('calls'),
    input: sum('input'),
    cached: sum('cached'),
    output: sum('output'),
    cost: sum('cost'),
    unpriced: sum('unpriced'),
  };
}

export async function sumBy(
  database: Kysely<Tables>,
  by: UsageGroup,
  { from, to, source, agent, conversation }: UsageRange,
): Promise<UsageLine[]> {
  const lines = await database
    .selectFrom('usage')
    .select((eb) => [
      eb.ref(by).as('name'),
      eb.fn.countAll<number>().as('calls'),
      eb.fn.sum<number>('input').as('input'),
      eb.fn.sum<number>('cached').as('cached'),
      eb.fn.sum<number>('output').as('output'),
      eb.fn.coalesce(eb.fn.sum<number>('cost'), eb.lit(0)).as('cost'),
      eb(eb.fn.countAll<number>(), '-', eb.fn.count<number>('cost')).as('unpriced'),
    ])
    .$if(from !== undefined, (query) => query.where('day', '>=', from!))
    .$if(to !== undefined, (query) => query.where('day', '<=', to!))
    .$if(source !== undefined, (query) => query.where('source', '=', source!))
    .$if(agent !== undefined, (query) => query.where('agent', '=', agent!))
    .$if(conversation !== undefined, (query) => query.where('conversation_id', '=', conversation!))
    .groupBy(by)
    .orderBy(by)
    .execute();
  if (by === 'day') return lines;
  return lines.toSorted((a, b) => b.cost - a.cost || b.input + b.output - a.input - a.output);
}

/** The day of a tool call is the UTC day on which its answer was begun. */
export async function sumByTool(
  database: Kysely<Tables>,
  { from, to, source, agent, conversation }: UsageRange,
): Promise<ToolUse[]> {
  return await database
    .selectFrom('tool_calls')
    .innerJoin('messages', 'messages.id', 'tool_calls.message_id')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select((eb) => [
      'tool_calls.tool as name',
      eb.fn.countAll<number>().as('calls'),
      eb(eb.fn.countAll<number>(), '-', eb.fn.sum<number>('tool_calls.ok')).as('failed'),
      eb.fn.sum<number>('tool_calls.ms').as('ms'),
    ])
    .$if(from !== undefined, (query) => query.where('messages.created_at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('messages.created_at', '<', `${to!}T24`))
    .$if(source !== undefined, (query) => query.where('conversations.source', '=', source!))
    .$if(agent !== undefined, (query) => query.where('messages.agent', '=', agent!))
    .$if(conversation !== undefined, (query) => query.where('messages.conversation_id', '=', conversation!))
    .groupBy('tool_calls.tool')
    .orderBy('calls', 'desc')
    .orderBy('name')
    .execute();
}
