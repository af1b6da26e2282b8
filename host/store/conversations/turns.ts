import type { Kysely } from 'kysely';
import type { RecordedCall } from '../../api/conversation.ts';
import type { Origin } from '../../api/provenance.ts';
import type { Content } from '../../api/result.ts';
import { thisProcess } from '../../core/processes/owner.ts';
import type { MessageState, Tables } from '../database/schema.ts';
import { toJson } from '../../core/documents/written-numbers.ts';

/** The message of a person or another agent. */
export interface TurnStart {
  readonly text: string;
  /** The agent that has to answer. */
  readonly agent: string;
  readonly attachments?: readonly Content[] | undefined;
  readonly externalMessageId?: string | undefined;
  /** The origins of its text, unless the owner wrote it. */
  readonly untrusted?: readonly Origin[] | undefined;
  /** Origins of untrusted content that is part of the turn from its beginning. */
  readonly known?: readonly Origin[];
  /** The key by which the turn is found when the message is delivered again. */
  readonly key?: string | undefined;
}

/**
 * A message and its unfinished answer. When a promise resolves, its data is on disk. After a crash there are the
 * message, the calls that had ended, and an answer that is marked as interrupted. Disposing does the same for a turn
 * that was neither finished nor interrupted.
 */
export interface StoredTurn extends AsyncDisposable {
  readonly userMessageId: number;
  /** The id of the answer. */
  readonly messageId: number;
  /**
   * Must be called before a call has its first effect: from then on its turn can't be repeated. Returns the call's
   * number.
   */
  beginCall(call: Pick<RecordedCall, 'id' | 'tool' | 'args'>): Promise<number>;
  /** `untrusted`: origins of all untrusted content that the turn has read so far. `begun`: what beginCall returned. */
  recordCall(call: RecordedCall, untrusted?: readonly Origin[], begun?: number): Promise<void>;
  /** `stopped`: why the turn ended early, in plain words. */
  finish(text: string, stopped?: string): Promise<void>;
  /** The turn ended without an answer; `stopped` says why. */
  interrupt(reason: string): Promise<void>;
}

export async function storeTurn(
  database: Kysely<Tables>,
  conversation: number,
  { text, agent, attachments, externalMessageId, untrusted, known, key }: TurnStart,
): Promise<StoredTurn> {
  const [userMessageId, messageId] = await database.transaction().execute(async (transaction) => {
    const common = { conversation_id: conversation, agent, created_at: new Date().toISOString() };
    const said = await transaction
      .insertInto('messages')
      .values({
        ...common,
        role: 'user',
        text,
        attachments: attachments && attachments.length > 0 ? JSON.stringify(attachments) : null,
        external_id: externalMessageId ?? null,
        untrusted: originsText(untrusted),
        state: 'done',
        stopped: null,
        owner: null,
        turn_key: key ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const answer = await transaction
      .insertInto('messages')
      .values({
        ...common,
        role: 'assistant',
        text: '',
        attachments: null,
        external_id: null,
        untrusted: originsText(known),
        state: 'running',
        stopped: null,
        owner: thisProcess,
        turn_key: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return [said.id, answer.id] as const;
  });
  return storedTurn(database, userMessageId, messageId);
}

/** Continues an interrupted turn: its message and the calls that had ended stay. */
export async function resumeTurn(
  database: Kysely<Tables>,
  { userMessageId, messageId }: Pick<StoredTurn, 'userMessageId' | 'messageId'>,
): Promise<StoredTurn> {
  await database
    .updateTable('messages')
    .set({ state: 'running', stopped: null, owner: thisProcess })
    .where('id', '=', messageId)
    .where('state', '=', 'interrupted')
    .execute();
  return storedTurn(database, userMessageId, messageId);
}

function storedTurn(database: Kysely<Tables>, userMessageId: number, messageId: number): StoredTurn {
  const end = async (changes: {
    readonly state: MessageState;
    readonly text?: string;
    readonly stopped?: string | null;
  }): Promise<void> => {
    await database
      .updateTable('messages')
      .set({ ...changes, owner: null })
      .where('id', '=', messageId)
      .where('state', '=', 'running')
      .execute();
  };
  return {
    userMessageId,
    messageId,
    async beginCall({ id, tool, args }) {
      const row = await database
        .insertInto('tool_calls')
        .values({
          message_id: messageId,
          call_id: id,
          tool,
          args: toJson(args) ?? 'null',
          result: '',
          ok: 0,
          ms: 0,
          ended: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
    recordCall: ({ id, tool, args, result, ok, ms }, untrustedByNow, begun) =>
      database.transaction().execute(async (transaction) => {
        if (begun !== undefined) await transaction.deleteFrom('tool_calls').where('id', '=', begun).execute();
        await transaction
          .insertInto('tool_calls')
          .values({
            message_id: messageId,
            call_id: id,
            tool,
            args: toJson(args) ?? 'null',
            result,
            ok: ok ? 1 : 0,
            ms,
            ended: 1,
          })
          .execute();
        await transaction
          .updateTable('messages')
          .set({ untrusted: originsText(untrustedByNow) })
          .where('id', '=', messageId)
          .execute();
      }),
    finish: (answer, stopped) => end({ state: 'done', text: answer, stopped: stopped ?? null }),
    interrupt: (reason) => end({ state: 'interrupted', stopped: reason }),
    // If this can't be written, for example because the disk is full, the next process does it. The failure must not
    // hide why the turn ended.
    [Symbol.asyncDispose]: () => end({ state: 'interrupted' }).catch(() => {}),
  };
}

const originsText = (origins: readonly Origin[] = []): string | null =>
  origins.length === 0 ? null : JSON.stringify(origins);
