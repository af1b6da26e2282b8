import type { Insertable, Kysely } from 'kysely';
import type { ConversationKey } from '../../api/conversation.ts';
import type { Workplace } from '../../api/known-folders.ts';
import { conversationFolder } from '../../core/files/project.ts';
import type { Tables } from '../database/schema.ts';

/** The open conversation of a key. */
export async function findOpen(
  database: Kysely<Tables>,
  { source, externalId }: ConversationKey,
): Promise<number | undefined> {
  const found = await database
    .selectFrom('conversations')
    .select('id')
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return found?.id;
}

/** If another process begins one with this key at the same moment, nothing is stored. */
export async function beginOpen(
  database: Kysely<Tables>,
  { source, externalId }: ConversationKey,
  more: Partial<Insertable<Tables['conversations']>> = {},
): Promise<number | undefined> {
  const row = await database
    .insertInto('conversations')
    .values({
      ...more,
      source,
      external_id: externalId,
      started_at: new Date().toISOString(),
      ended_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['source', 'external_id']).where('ended_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** The next message with this key begins another conversation. */
export async function endOpen(
  database: Kysely<Tables>,
  { source, externalId }: ConversationKey,
): Promise<void> {
  await database
    .updateTable('conversations')
    .set({ ended_at: new Date().toISOString() })
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .where('ended_at', 'is', null)
    .execute();
}

/** The conversation belongs to the folder where it is begun: one that has a folder keeps it. */
export async function noteFolder(
  database: Kysely<Tables>,
  conversation: number,
  workplace: Workplace,
): Promise<void> {
  await database
    .updateTable('conversations')
    .set({ folder: conversationFolder(workplace) })
    .where('id', '=', conversation)
    .where('folder', 'is', null)
    .execute();
}
