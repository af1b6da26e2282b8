import type { Kysely } from 'kysely';
import type { ModelUsage } from '../../api/model.ts';
import type { DayOf } from '../conversations/day.ts';
import type { Tables } from '../database/schema.ts';

/** One call of a model. */
export interface UsageEntry {
  readonly agent: string;
  /** The model that answered. */
  readonly model: string;
  /** The source of the conversation: "cli", "telegram". */
  readonly source: string;
  readonly conversation?: number;
  readonly usage: ModelUsage;
}

export async function insertUsage(database: Kysely<Tables>, entry: UsageEntry, dayOf: DayOf): Promise<void> {
  const { agent, model, source, conversation, usage } = entry;
  const now = new Date();
  await database
    .insertInto('usage')
    .values({
      day: dayOf(now),
      at: now.toISOString(),
      agent,
      model,
      source,
      conversation_id: conversation ?? null,
      input: usage.input,
      output: usage.output,
      cached: usage.cached ?? 0,
      cost: usage.cost ?? null,
    })
    .execute();
}
