import { parseJson, toJson } from 'pegboard';
import { visibleText } from 'pegboard/channels';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { MemoryTables, Priority } from '../tables.ts';
import { tokensOf } from '../words/words.ts';

type Db = Kysely<MemoryTables>;

/** A note that replaces messages which are no longer sent to the model. */
export interface Observation {
  readonly id: number;
  readonly text: string;
  readonly priority: Priority;
  readonly category: string;
  /** Ids of messages. */
  readonly sources: readonly number[];
  /** The memory that it was promoted to. */
  readonly memory?: number;
}

export interface NewObservation extends Pick<Observation, 'text' | 'priority' | 'category' | 'sources'> {
  /** Condensed from observations that the promoter has judged. */
  readonly condensed: boolean;
}

/** The id of the last observed message of a conversation, or 0. */
export async function observedUntil(database: Db, conversation: number): Promise<number> {
  const row = await database
    .selectFrom('memory_progress')
    .select('observed_until')
    .where('conversation_id', '=', conversation)
    .executeTakeFirst();
  return row?.observed_until ?? 0;
}

/** The observations that currently represent the conversation, in order. */
export async function activeObservations(
  database: Db,
  conversation: number,
): Promise<readonly Observation[]> {
  const rows = await database
    .selectFrom('memory_observations')
    .selectAll()
    .where('conversation_id', '=', conversation)
    .where('retired_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(toObservation);
}

/** Part of the caller's transaction. */
export async function addObservations(
  transaction: Db,
  conversation: number,
  observations: readonly NewObservation[],
): Promise<void> {
  const now = new Date().toISOString();
  for (const { text, priority, category, sources, condensed } of observations) {
    await transaction
      .insertInto('memory_observations')
      .values({
        conversation_id: conversation,
        text: visibleText(text),
        priority,
        category: visibleText(category),
        sources: toJson(sources),
        created_at: now,
        condensed: condensed ? 1 : 0,
        promoted_at: condensed ? now : null,
        memory_id: null,
        retired_at: null,
      })
      .execute();
  }
}

/**
 * Observations that contain what would be forgotten: those that the memory was promoted from, and condensed ones made
 * from messages that the memory came from.
 */
const containing = (memory: number, sources: readonly number[]) => sql<boolean>`
  retired_at is null and (memory_id = ${memory} or condensed = 1 and exists (
    select 1 from json_each(memory_observations.sources) source
    where source.value in (${sources.length > 0 ? sql.join(sources) : sql`null`})
  ))`;

export async function retireObservationsOf(
  transaction: Db,
  memory: number,
  sources: readonly number[],
): Promise<void> {
  await transaction
    .updateTable('memory_observations')
    .set({ retired_at: new Date().toISOString() })
    .where(containing(memory, sources))
    .execute();
}

/** What `retireObservationsOf` would retire. */
export async function observationsContaining(
  database: Db,
  memory: number,
  sources: readonly number[],
): Promise<readonly Observation[]> {
  const rows = await database
    .selectFrom('memory_observations')
    .selectAll()
    .where(containing(memory, sources))
    .orderBy('id')
    .execute();
  return rows.map(toObservation);
}

/** The conversation's prefix: one line per observation, with the important ones marked. */
export function renderObservations(observations: readonly Observation[]): string {
  return observations.map(({ text, priority }) => `- ${priority === 'high' ? '(!) ' : ''}${text}`).join('\n');
}

export const tokensOfObservations = (observations: readonly Observation[]): number =>
  tokensOf(renderObservations(observations));

export function toObservation(row: Selectable<MemoryTables['memory_observations']>): Observation {
  return {
    id: row.id,
    text: visibleText(row.text),
    priority: row.priority,
    category: visibleText(row.category),
    sources: parseJson(row.sources) as number[],
    ...(row.memory_id !== null && { memory: row.memory_id }),
  };
}

/** The priority that a model's answer gives. */
export function toPriority(value: unknown): Priority {
  return value === 'high' || value === 'low' ? value : 'medium';
}
