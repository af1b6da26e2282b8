import type { Insertable, Kysely, Updateable } from 'kysely';
import type { RecordedCall } from '../../api/conversation.ts';
import type { Origin } from '../../api/provenance.ts';
import type { Content } from '../../api/result.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import { newAttempt } from '../../core/processes/owner.ts';
import type { Tables } from '../database/schema.ts';
import { claimLost } from './claim-lost.ts';
import type { EarlierTurn } from './earlier-turn.ts';
import { cutOff } from './messages.ts';
import type { StoredReply } from './stored-reply.ts';

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
  /** What the model reads before the message. */
  readonly preamble?: string;
}

/** A call that has ended. */
interface EndedCall {
  readonly call: RecordedCall;
  readonly round: number;
  /** Its content, where a model reads more than the text of `result`. */
  readonly content?: readonly Content[] | undefined;
  /** Origins of all untrusted content that the turn has read so far. */
  readonly untrusted?: readonly Origin[];
  /** What `beginCall` returned for it. */
  readonly begun?: number | undefined;
}

/**
 * A message and its unfinished answer. When a promise resolves, its data is on disk. After a crash there are the
 * message, the replies of the model, the calls that had ended, and an answer that is marked as interrupted. Disposing
 * does the same for a turn that was neither finished nor interrupted.
 *
 * Everything is written only while the turn belongs to this attempt: all methods but `interrupt` throw PEG_CLAIM_LOST,
 * and write nothing, after another attempt has taken it over.
 */
export interface StoredTurn extends AsyncDisposable {
  readonly userMessageId: number;
  /** The id of the answer. */
  readonly messageId: number;
  /** Must be called before the calls of a reply run. */
  storeReply(reply: StoredReply): Promise<void>;
  /** Must be called before a call has its first effect: from then on it can't be repeated. Returns the call's number. */
  beginCall(call: Pick<RecordedCall, 'id' | 'tool' | 'args'>, round: number): Promise<number>;
  recordCall(ended: EndedCall): Promise<void>;
  /** `stopped`: why the turn ended early, in plain words. */
  finish(text: string, stopped?: string): Promise<void>;
  /** The turn ended without an answer; `stopped` says why. */
  interrupt(reason: string): Promise<void>;
}

export async function storeTurn(
  database: Kysely<Tables>,
  conversation: number,
  { text, agent, attachments, externalMessageId, untrusted, known, key, preamble }: TurnStart,
): Promise<StoredTurn> {
  const owner = newAttempt();
  const ids = await database.transaction().execute(async (transaction) => {
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
        owner,
        turn_key: null,
        preamble: key === undefined ? null : (preamble ?? null),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { userMessageId: said.id, messageId: answer.id };
  });
  return storedTurn(database, { ...ids, owner, canGoOn: key !== undefined, isResumed: false });
}

/**
 * Takes over an interrupted turn as it was read: its message, replies and ended calls stay, and calls that were cut off
 * become uncertain. Throws PEG_CLAIM_LOST when another attempt was faster.
 */
export async function resumeTurn(database: Kysely<Tables>, earlier: EarlierTurn): Promise<StoredTurn> {
  const { userMessageId, messageId } = earlier;
  const owner = newAttempt();
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('messages')
      .set({
        state: 'running',
        stopped: null,
        owner,
        active_at: new Date().toISOString(),
        attempts: earlier.attempts + 1,
      })
      .where('id', '=', messageId)
      .where('state', '=', 'interrupted')
      .where('attempts', '=', earlier.attempts)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw claimLost();
    await transaction
      .updateTable('tool_calls')
      .set({ ended: 1, uncertain: 1, result: cutOff })
      .where('message_id', '=', messageId)
      .where('ended', '=', 0)
      .execute();
  });
  return storedTurn(database, { userMessageId, messageId, owner, canGoOn: true, isResumed: true });
}

interface Claimed {
  readonly userMessageId: number;
  readonly messageId: number;
  /** The attempt. */
  readonly owner: string;
  /** Whether its message may be delivered again. What is needed only to go on is stored only then. */
  readonly canGoOn: boolean;
  readonly isResumed: boolean;
}

function storedTurn(database: Kysely<Tables>, claimed: Claimed): StoredTurn {
  const { userMessageId, messageId, owner, canGoOn } = claimed;
  /** Whether there may be rows, and contents of calls, that are needed only to go on. */
  let hasReplies = claimed.isResumed;
  let hasContent = claimed.isResumed;
  let isOver = false;

  /** Changes the answer, if it still belongs to this attempt. */
  const change = async (
    connection: Kysely<Tables>,
    changes: Updateable<Tables['messages']> = {},
  ): Promise<void> => {
    const { numUpdatedRows } = await connection
      .updateTable('messages')
      .set({ active_at: new Date().toISOString(), ...changes })
      .where('id', '=', messageId)
      .where('owner', '=', owner)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw claimLost();
  };

  const interrupt = async (reason: string | null): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await database
      .updateTable('messages')
      .set({ state: 'interrupted', stopped: reason, owner: null, active_at: new Date().toISOString() })
      .where('id', '=', messageId)
      .where('owner', '=', owner)
      .execute();
  };

  return {
    userMessageId,
    messageId,
    async storeReply({ round, text, calls, replay }) {
      if (!canGoOn) return;
      hasReplies = true;
      await database.transaction().execute(async (transaction) => {
        await change(transaction);
        await transaction
          .insertInto('model_replies')
          .values({
            message_id: messageId,
            round,
            text,
            calls: toJson(calls),
            replay: replay === undefined ? null : toJson(replay),
          })
          .execute();
      });
    },
    async beginCall(call, round) {
      return await database.transaction().execute(async (transaction) => {
        await change(transaction);
        const row = callRow(call, { ...begun, messageId, round });
        const { id } = await transaction
          .insertInto('tool_calls')
          .values(row)
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      });
    },
    async recordCall({ call, round, content, untrusted, begun: earlier }) {
      await database.transaction().execute(async (transaction) => {
        await change(transaction, { untrusted: originsText(untrusted) });
        if (earlier !== undefined)
          await transaction.deleteFrom('tool_calls').where('id', '=', earlier).execute();
        const kept = canGoOn && content !== undefined ? toJson(content) : null;
        hasContent ||= kept !== null;
        const row = callRow(call, { ...call, messageId, round, ended: 1, content: kept });
        await transaction.insertInto('tool_calls').values(row).execute();
      });
    },
    async finish(answer, stopped) {
      const text = { state: 'done', text: answer, stopped: stopped ?? null } as const;
      const changes = { ...text, owner: null, preamble: null };
      if (!hasReplies) await change(database, changes);
      else
        await database.transaction().execute(async (transaction) => {
          await change(transaction, changes);
          // They are needed only to go on.
          await transaction.deleteFrom('model_replies').where('message_id', '=', messageId).execute();
          if (hasContent) await forgetContent(transaction, messageId);
        });
      isOver = true;
    },
    interrupt,
    // If this can't be written, for example because the disk is full, the next process does it. The failure must not
    // hide why the turn ended.
    [Symbol.asyncDispose]: () => interrupt(null).catch(() => {}),
  };
}

async function forgetContent(database: Kysely<Tables>, messageId: number): Promise<void> {
  await database
    .updateTable('tool_calls')
    .set({ content: null })
    .where('message_id', '=', messageId)
    .where('content', 'is not', null)
    .execute();
}

/** A call without a result. */
const begun = { result: '', ok: false, ms: 0, ended: 0, content: null } as const;

const callRow = (
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

const originsText = (origins: readonly Origin[] = []): string | null =>
  origins.length === 0 ? null : JSON.stringify(origins);
