import type { Kysely } from 'kysely';
import type { Origin } from '../../api/provenance.ts';
import type { Tables } from '../database/schema.ts';
import { readOrigins } from './messages.ts';

/** What a model reads instead of the older part of a conversation. The messages themselves are kept. */
export interface ConversationSummary {
  /** Absent: the older part is just not read. */
  readonly text?: string;
  /** The id of the last message that it stands for. */
  readonly until: number;
  /** The origins of untrusted content in what it was made of. */
  readonly untrusted: readonly Origin[];
}

/** As it is read: `inheritedUntil` is the last message of conversations that this one goes on from, or 0. */
export interface StoredSummary extends ConversationSummary {
  readonly inheritedUntil: number;
}

export async function readSummary(
  database: Kysely<Tables>,
  conversation: number,
): Promise<StoredSummary | undefined> {
  const row = await database
    .selectFrom('conversations')
    .select(['summary', 'summary_until', 'summary_untrusted', 'parent_until'])
    .where('id', '=', conversation)
    .where('summary_until', 'is not', null)
    .executeTakeFirst();
  return (
    row && {
      ...(row.summary !== null && { text: row.summary }),
      until: row.summary_until!,
      untrusted: readOrigins(row.summary_untrusted),
      inheritedUntil: row.parent_until ?? 0,
    }
  );
}

export const summaryColumns = ({ text, until, untrusted }: ConversationSummary) => ({
  summary: text ?? null,
  summary_until: until,
  summary_untrusted: untrusted.length === 0 ? null : JSON.stringify(untrusted),
});
