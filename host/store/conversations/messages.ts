import type { Kysely, Selectable } from 'kysely';
import type { RecordedCall } from '../../api/conversation.ts';
import type { Origin } from '../../api/provenance.ts';
import type { Content } from '../../api/result.ts';
import type { FindAbandoned } from '../database/abandoned.ts';
import type { MessageState, Tables } from '../database/schema.ts';
import { lineageOf, within, type Stretch } from './lineage.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';

/** A stored message. An answer has its tool calls, in the order in which they ended. */
export interface StoredMessage {
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly attachments: readonly Content[];
  /** The channel's own id, if it has one. */
  readonly externalMessageId?: string;
  /** The agent that answered, or that the message is for. */
  readonly agent?: string;
  /** `interrupted`: the turn ended without an answer; the calls are those that had ended by then. */
  readonly state: MessageState;
  /** Why the turn ended early. */
  readonly stopped?: string;
  /**
   * For a message, the origins of its untrusted parts; for an answer, those of untrusted content that its turn had
   * read.
   */
  readonly untrusted: readonly Origin[];
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly toolCalls: readonly RecordedCall[];
}

/** Bounds on a message's id, both exclusive. */
export interface MessageRange {
  readonly after?: number;
  readonly before?: number;
  /** Maximum messages, counted from the end of the range. */
  readonly limit?: number;
}

/** A call of a turn that may go on. */
export interface TurnCall extends RecordedCall {
  readonly ended: boolean;
  /** It had begun when the turn was interrupted, and whether it took effect is unknown. */
  readonly uncertain: boolean;
  /** The reply that made it; undefined in turns of earlier versions. */
  readonly round: number | undefined;
  /** What the model read, where that is more than the text of `result`. */
  readonly content: readonly Content[] | undefined;
}

/** The calls of one answer, in the order in which they ended. */
export async function readCallsOf(database: Kysely<Tables>, message: number): Promise<readonly TurnCall[]> {
  const rows = await database
    .selectFrom('tool_calls')
    .selectAll()
    .where('message_id', '=', message)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...toCall(row),
    ended: row.ended === 1,
    uncertain: row.ended === 0 || row.uncertain === 1,
    round: row.round ?? undefined,
    content: row.content === null ? undefined : (parseJson(row.content) as Content[]),
  }));
}

/**
 * In chronological order, with those of conversations that this one goes on from. Unfinished answers are left out, and so
 * is the channel's id of a message of another chat.
 */
export async function readMessages(
  database: Kysely<Tables>,
  conversation: number,
  { after = 0, before = Number.MAX_SAFE_INTEGER, limit = Number.MAX_SAFE_INTEGER }: MessageRange,
): Promise<StoredMessage[]> {
  const stretches = await lineageOf(database, conversation);
  if (stretches.length === 0) return [];
  const rows = await database
    .selectFrom('messages')
    .selectAll()
    .where(within(stretches))
    .where('id', '>', after)
    .where('id', '<', before)
    .where('state', '!=', 'running')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const calls = await readCalls(database, stretches, first.id, last.id);
  const elsewhere = new Set(stretches.flatMap((one) => (one.isElsewhere ? one.conversation : [])));
  return rows.map((row) => {
    const own = elsewhere.has(row.conversation_id) ? { ...row, external_id: null } : row;
    return toMessage(own, calls.get(row.id) ?? []);
  });
}

/** Marks answers of dead processes as interrupted. */
export async function markAbandonedMessages(database: Kysely<Tables>, find: FindAbandoned): Promise<void> {
  const running = await database
    .selectFrom('messages')
    .select(['id', 'owner', 'created_at', 'active_at'])
    .where('state', '=', 'running')
    .execute();
  const owned = running.map(({ id, owner, created_at, active_at }) => ({
    id,
    owner: owner ?? '',
    since: active_at ?? created_at,
  }));
  const isAbandoned = await find(database, owned);
  for (const one of owned)
    if (one.owner === '' || isAbandoned(one)) await markInterrupted(database, one.id, one.owner);
}

/** A running answer whose attempt is over. */
export async function markInterrupted(database: Kysely<Tables>, id: number, owner: string): Promise<void> {
  await database
    .updateTable('messages')
    .set((eb) => ({ state: 'interrupted', owner: null, crashes: eb('crashes', '+', 1) }))
    .where('id', '=', id)
    .where('owner', owner === '' ? 'is' : '=', owner === '' ? null : owner)
    .where('state', '=', 'running')
    .execute();
}

/** The result that the model sees for an interrupted call. */
export const cutOff =
  'This call was interrupted before it had a result. Whether it took effect is not known: check before you repeat it.';

async function readCalls(
  database: Kysely<Tables>,
  stretches: readonly Stretch[],
  first: number,
  last: number,
): Promise<ReadonlyMap<number, RecordedCall[]>> {
  const rows = await database
    .selectFrom('tool_calls')
    .innerJoin('messages', 'messages.id', 'tool_calls.message_id')
    .selectAll('tool_calls')
    .where(within(stretches))
    .where('messages.id', '>=', first)
    .where('messages.id', '<=', last)
    .orderBy('tool_calls.id')
    .execute();
  const calls = Map.groupBy(rows, (row) => row.message_id);
  return new Map([...calls].map(([message, own]) => [message, own.map(toCall)]));
}

function toCall(row: Selectable<Tables['tool_calls']>): RecordedCall {
  return {
    id: row.call_id,
    tool: row.tool,
    args: parseJson(row.args),
    result: row.ended === 1 ? row.result : cutOff,
    ok: row.ok === 1,
    ms: row.ms,
  };
}

export const readOrigins = (json: string | null): readonly Origin[] =>
  json === null ? [] : (parseJson(json) as Origin[]);

function toMessage(row: Selectable<Tables['messages']>, toolCalls: readonly RecordedCall[]): StoredMessage {
  return {
    id: row.id,
    role: row.role,
    text: row.text,
    attachments: row.attachments === null ? [] : (parseJson(row.attachments) as Content[]),
    ...(row.external_id !== null && { externalMessageId: row.external_id }),
    ...(row.agent !== null && { agent: row.agent }),
    state: row.state,
    ...(row.stopped !== null && { stopped: row.stopped }),
    untrusted: readOrigins(row.untrusted),
    at: row.created_at,
    toolCalls,
  };
}
