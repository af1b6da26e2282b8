import type { Insertable, Kysely } from 'kysely';
import type { RecordedCall } from '../../api/conversation.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import type { Tables } from '../database/schema.ts';
import { cutOff } from './messages.ts';
import type { CallKey } from './paused-calls.ts';

/** Of a call without a result. */
export const unended = { result: '', ok: false, ms: 0, ended: 0, content: null } as const;

export const callRow = (
  { id, tool, args }: Pick<RecordedCall, 'id' | 'tool' | 'args'>,
  state: Pick<RecordedCall, 'result' | 'ok' | 'ms'> & {
    readonly messageId: number;
    readonly round: number;
    readonly ended: 0 | 1;
    readonly content: string | null;
  },
): Insertable<Tables['tool_calls']> => ({
  message_id: state.messageId,
  call_id: id,
  tool,
  args: toJson(args) ?? 'null',
  result: state.result,
  ok: state.ok ? 1 : 0,
  ms: state.ms,
  ended: state.ended,
  round: state.round,
  content: state.content,
});

/** Returns its number. */
export async function insertCall(
  database: Kysely<Tables>,
  row: Insertable<Tables['tool_calls']>,
): Promise<number> {
  const { id } = await database
    .insertInto('tool_calls')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Calls that had begun become uncertain; those that go on from where they paused stay as they are. */
export async function markCutOff(database: Kysely<Tables>, messageId: number): Promise<void> {
  await database
    .updateTable('tool_calls')
    .set({ ended: 1, uncertain: 1, result: cutOff })
    .where('message_id', '=', messageId)
    .where('ended', '=', 0)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('paused_calls')
            .select('paused_calls.call_id')
            .whereRef('paused_calls.message_id', '=', 'tool_calls.message_id')
            .whereRef('paused_calls.round', '=', 'tool_calls.round')
            .whereRef('paused_calls.call_id', '=', 'tool_calls.call_id'),
        ),
      ),
    )
    .execute();
}

/** The number of a call that has begun and not ended. */
export async function begunBefore(
  database: Kysely<Tables>,
  { messageId, round, id }: CallKey,
): Promise<number | undefined> {
  const row = await database
    .selectFrom('tool_calls')
    .select('id')
    .where('message_id', '=', messageId)
    .where('round', '=', round)
    .where('call_id', '=', id)
    .where('ended', '=', 0)
    .executeTakeFirst();
  return row?.id;
}

/** What models read, which is needed only to go on. */
export async function forgetContent(database: Kysely<Tables>, messageId: number): Promise<void> {
  await database
    .updateTable('tool_calls')
    .set({ content: null })
    .where('message_id', '=', messageId)
    .where('content', 'is not', null)
    .execute();
}
