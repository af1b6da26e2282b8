import { sql, type Kysely } from 'kysely';
import type { UsageSum } from '../../api/store/usage.ts';
import type { Tables } from '../database/schema.ts';

/** What one turn cost on a day. */
export interface TurnUsage extends UsageSum {
  /** The id of its answer; undefined for model calls outside of turns, such as embeddings. */
  readonly turn: number | undefined;
  readonly agent: string;
  /** ISO 8601. */
  readonly at: string;
  readonly conversation: number | undefined;
  /** The source of the conversation, and its id there. */
  readonly source: string;
  readonly externalId: string | undefined;
  /** The beginning of what was asked. */
  readonly asked: string;
}

/** A call of a model. */
interface ModelCallUsage {
  readonly at: string;
  readonly model: string;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Undefined where the price is not known. */
  readonly cost: number | undefined;
}

export interface TurnCalls {
  readonly models: readonly ModelCallUsage[];
  readonly tools: readonly { readonly tool: string; readonly ok: boolean; readonly ms: number }[];
}

/** Turns of a day that are listed. */
const maxTurns = 200;
const askedLength = 200;

/** A model call belongs to the answer of its conversation that was begun last before it. */
const turnOf = sql<number | null>`(
  select message.id from messages message where message.conversation_id = usage.conversation_id
  and message.role = 'assistant' and message.created_at <= usage.at
  order by message.created_at desc, message.id desc limit 1)`;

/** The turns of a day, the most expensive first. */
export async function turnsOn(database: Kysely<Tables>, day: string): Promise<readonly TurnUsage[]> {
  const { rows } = await sql<
    Omit<TurnUsage, 'turn' | 'conversation' | 'externalId' | 'asked'> & {
      readonly turn: number | null;
      readonly conversation: number | null;
      readonly external_id: string | null;
      readonly asked: string | null;
    }
  >`
    with paid as (select usage.*, ${turnOf} as turn from usage where day = ${day}),
    sums as (
      select turn, conversation_id, agent, source, min(at) as at, count(*) as calls, sum(input) as input,
        sum(cached) as cached, sum(output) as output, coalesce(sum(cost), 0) as cost,
        count(*) - count(cost) as unpriced
      from paid group by turn, conversation_id, agent, source
    ),
    turns as (select * from sums order by cost desc, input + output desc limit ${maxTurns})
    select turns.turn, turns.agent, turns.source, turns.at, turns.calls, turns.input, turns.cached, turns.output,
      turns.cost, turns.unpriced, turns.conversation_id as conversation, conversations.external_id, (
        select substr(question.text, 1, ${askedLength}) from messages question
        where question.conversation_id = turns.conversation_id and question.role = 'user'
        and question.id < turns.turn order by question.id desc limit 1
      ) as asked
    from turns left join conversations on conversations.id = turns.conversation_id
    order by turns.cost desc, turns.input + turns.output desc`.execute(database);
  return rows.map(({ turn, conversation, external_id, asked, ...rest }) => ({
    ...rest,
    turn: turn ?? undefined,
    conversation: conversation ?? undefined,
    externalId: external_id ?? undefined,
    asked: asked ?? '',
  }));
}

/** The calls of the turn with this answer, in order. */
export async function callsOfTurn(database: Kysely<Tables>, turn: number): Promise<TurnCalls> {
  const answer = await database
    .selectFrom('messages')
    .select('conversation_id')
    .where('id', '=', turn)
    .executeTakeFirst();
  if (!answer) return { models: [], tools: [] };
  const [models, tools] = await Promise.all([
    database
      .selectFrom('usage')
      .select(['at', 'model', 'input', 'cached', 'output', 'cost'])
      .where('conversation_id', '=', answer.conversation_id)
      .where(turnOf, '=', turn)
      .orderBy('id')
      .execute(),
    database
      .selectFrom('tool_calls')
      .select(['tool', 'ok', 'ms'])
      .where('message_id', '=', turn)
      .orderBy('id')
      .execute(),
  ]);
  return {
    models: models.map(({ cost, ...rest }) => ({ ...rest, cost: cost ?? undefined })),
    tools: tools.map(({ tool, ok, ms }) => ({ tool, ok: ok === 1, ms })),
  };
}
