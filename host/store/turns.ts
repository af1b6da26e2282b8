import type { Kysely } from 'kysely';
import type { RecordedCall } from '../api/conversation.ts';
import type { Origin } from '../api/provenance.ts';
import type { Content } from '../api/result.ts';
import { thisProcess } from '../core/processes/owner.ts';
import type { MessageState, Tables } from './schema.ts';

/** What a person, or another agent, says. */
export interface TurnStart {
  readonly text: string;
  /** Who is to answer. */
  readonly agent: string;
  readonly attachments?: readonly Content[] | undefined;
  readonly externalMessageId?: string | undefined;
  /** Who wrote it, where that was not the owner. */
  readonly untrusted?: readonly Origin[] | undefined;
  /** What others wrote and the turn reads from its beginning. */
  readonly known?: readonly Origin[];
}

/**
 * A message and its answer while that is being made. Everything is on disk when the promise resolves, so that a crash
 * leaves the message, the calls that had ended, and an answer that is marked as interrupted. Disposing does the same
 * for a turn that was neither finished nor interrupted.
 */
export interface StoredTurn extends AsyncDisposable {
  readonly userMessageId: number;
  /** Of the answer. */
  readonly messageId: number;
  /** `untrusted`: everything that others wrote and the turn has read by then. */
  recordCall(call: RecordedCall, untrusted?: readonly Origin[]): Promise<void>;
  /** `stopped`: why the turn ended early, in plain words. */
  finish(text: string, stopped?: string): Promise<void>;
  /** No answer came, and why. */
  interrupt(reason: string): Promise<void>;
}

export async function storeTurn(
  database: Kysely<Tables>,
  conversation: number,
  { text, agent, attachments, externalMessageId, untrusted, known }: TurnStart,
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
        untrusted: toJson(untrusted),
        state: 'done',
        stopped: null,
        owner: null,
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
        untrusted: toJson(known),
        state: 'running',
        stopped: null,
        owner: thisProcess,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return [said.id, answer.id] as const;
  });

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
    recordCall: ({ id, tool, args, result, ok, ms }, untrustedByNow) =>
      database.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('tool_calls')
          .values({
            message_id: messageId,
            call_id: id,
            tool,
            args: JSON.stringify(args) ?? 'null',
            result,
            ok: ok ? 1 : 0,
            ms,
          })
          .execute();
        await transaction
          .updateTable('messages')
          .set({ untrusted: toJson(untrustedByNow) })
          .where('id', '=', messageId)
          .execute();
      }),
    finish: (answer, stopped) => end({ state: 'done', text: answer, stopped: stopped ?? null }),
    interrupt: (reason) => end({ state: 'interrupted', stopped: reason }),
    // What it can't write, such as on a full disk, the next process does; it must not hide why the turn ended.
    [Symbol.asyncDispose]: () => end({ state: 'interrupted' }).catch(() => {}),
  };
}

const toJson = (origins: readonly Origin[] = []): string | null =>
  origins.length === 0 ? null : JSON.stringify(origins);
