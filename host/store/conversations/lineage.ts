import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** The messages of one conversation, up to `until`, as part of another one that goes on from it. */
export interface Stretch {
  readonly conversation: number;
  /** The id of the last message, inclusive. */
  readonly until: number;
  /** It has another key: ids of its messages are those of another chat. */
  readonly isElsewhere: boolean;
}

/** A conversation after those that it goes on from, each with what belongs to it. Ids of messages increase along them. */
export async function lineageOf(database: Kysely<Tables>, conversation: number): Promise<readonly Stretch[]> {
  const stretches: Stretch[] = [];
  let own: string | undefined;
  let [next, until]: [number | null, number] = [conversation, Number.MAX_SAFE_INTEGER];
  while (next !== null) {
    const row: LineageRow | undefined = await database
      .selectFrom('conversations')
      .select(['source', 'external_id', 'parent_id', 'parent_until'])
      .where('id', '=', next)
      .executeTakeFirst();
    if (!row) break;
    const key = JSON.stringify([row.source, row.external_id]);
    own ??= key;
    stretches.unshift({ conversation: next, until, isElsewhere: key !== own });
    until = Math.min(until, row.parent_until ?? 0);
    // A conversation goes on from an earlier one only.
    next = row.parent_id !== null && row.parent_id < next ? row.parent_id : null;
  }
  return stretches;
}

interface LineageRow {
  readonly source: string;
  readonly external_id: string;
  readonly parent_id: number | null;
  readonly parent_until: number | null;
}

/** Restricts a query of messages to these. */
export const within = (stretches: readonly Stretch[]) => (eb: ExpressionBuilder<Tables, 'messages'>) =>
  eb.or(
    stretches.map(({ conversation, until }) =>
      eb.and([eb('messages.conversation_id', '=', conversation), eb('messages.id', '<=', until)]),
    ),
  );
