import type { Kysely, Updateable } from 'kysely';
import type { RecordedCall } from '../../api/conversation.ts';
import type { Workplace } from '../../api/known-folders.ts';
import type { Origin } from '../../api/provenance.ts';
import type { Content } from '../../api/result.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import { newAttempt } from '../../core/processes/owner.ts';
import type { Tables } from '../database/schema.ts';
import { begunBefore, callRow, forgetContent, insertCall, markCutOff, unended } from './call-rows.ts';
import { claimLost } from './claim-lost.ts';
import type { EarlierTurn } from './earlier-turn.ts';
import { forgetAllPaused, forgetPaused, readPaused, storePaused, type PausedState } from './paused-calls.ts';
import { noteFolder } from './open-conversation.ts';
import type { StoredReply } from './stored-reply.ts';

/** The message of a person or another agent. */
export interface TurnStart {
  readonly text: string;
  /** The agent that has to answer. */
  readonly agent: string;
  /** Where its sender works. A conversation belongs to the folder of the first message that says so. */
  readonly workplace?: Workplace | undefined;
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
  /** Stores what a call that waits for a person needs to go on, and the origins of what the turn has read so far. */
  pauseCall(id: string, round: number, state: PausedState, untrusted: readonly Origin[]): Promise<void>;
  /** What `pauseCall` stored in an earlier attempt. */
  pausedCall(id: string, round: number): Promise<Uint8Array | undefined>;
  /** Must be called before a call that was paused goes on to an effect. */
  forgetPaused(id: string, round: number): Promise<void>;
  /** `stopped`: why the turn ended early, in plain words. */
  finish(text: string, stopped?: string): Promise<void>;
  /** The turn ended without an answer; `stopped` says why. */
  interrupt(reason: string): Promise<void>;
}

export async function storeTurn(
  database: Kysely<Tables>,
  conversation: number,
  { text, agent, workplace, attachments, externalMessageId, untrusted, known, key, preamble }: TurnStart,
): Promise<StoredTurn> {
  const owner = newAttempt();
  const ids = await database.transaction().execute(async (transaction) => {
    if (workplace) await noteFolder(transaction, conversation, workplace);
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
    await forgetAllPaused(transaction, messageId, earlier.paused.version);
    await markCutOff(transaction, messageId);
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
  let hasPaused = claimed.isResumed;
  let isOver = false;

  const change: ChangeAnswer = (connection, changes) => changeAnswer(connection, claimed, changes);

  /** The number of a call that an earlier attempt began, and this one goes on with. */
  const begunEarlier = async (
    connection: Kysely<Tables>,
    id: string,
    round: number,
  ): Promise<number | undefined> =>
    claimed.isResumed ? await begunBefore(connection, { messageId, round, id }) : undefined;

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
        const earlier = await begunEarlier(transaction, call.id, round);
        if (earlier !== undefined) return earlier;
        return await insertCall(transaction, callRow(call, { ...unended, messageId, round }));
      });
    },
    async recordCall({ call, round, content, untrusted, begun: earlier }) {
      await database.transaction().execute(async (transaction) => {
        await change(transaction, { untrusted: originsText(untrusted) });
        const unfinished = earlier ?? (await begunEarlier(transaction, call.id, round));
        if (unfinished !== undefined)
          await transaction.deleteFrom('tool_calls').where('id', '=', unfinished).execute();
        if (hasPaused) await forgetPaused(transaction, { messageId, round, id: call.id });
        const kept = canGoOn && content !== undefined ? toJson(content) : null;
        hasContent ||= kept !== null;
        await insertCall(transaction, callRow(call, { ...call, messageId, round, ended: 1, content: kept }));
      });
    },
    ...pausing(database, claimed, async (connection, changes) => {
      hasPaused = true;
      await change(connection, changes);
    }),
    async finish(answer, stopped) {
      const text = { state: 'done', text: answer, stopped: stopped ?? null } as const;
      const changes = { ...text, owner: null, preamble: null };
      if (!hasReplies) await change(database, changes);
      else
        await database.transaction().execute(async (transaction) => {
          await change(transaction, changes);
          // They are needed only to go on.
          await transaction.deleteFrom('model_replies').where('message_id', '=', messageId).execute();
          if (hasPaused) await forgetAllPaused(transaction, messageId);
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

type ChangeAnswer = (connection: Kysely<Tables>, changes?: Updateable<Tables['messages']>) => Promise<void>;

/** Changes the answer, if it still belongs to this attempt. */
async function changeAnswer(
  connection: Kysely<Tables>,
  { messageId, owner }: Claimed,
  changes: Updateable<Tables['messages']> = {},
): Promise<void> {
  const { numUpdatedRows } = await connection
    .updateTable('messages')
    .set({ active_at: new Date().toISOString(), ...changes })
    .where('id', '=', messageId)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw claimLost();
}

/** What concerns calls that wait for a person. */
function pausing(
  database: Kysely<Tables>,
  { messageId, isResumed }: Claimed,
  change: ChangeAnswer,
): Pick<StoredTurn, 'pauseCall' | 'pausedCall' | 'forgetPaused'> {
  return {
    async pauseCall(id, round, state, untrusted) {
      await database.transaction().execute(async (transaction) => {
        await change(transaction, { untrusted: originsText(untrusted) });
        await storePaused(transaction, { messageId, round, id }, state);
      });
    },
    pausedCall: async (id, round) =>
      isResumed ? await readPaused(database, { messageId, round, id }) : undefined,
    async forgetPaused(id, round) {
      await database.transaction().execute(async (transaction) => {
        await change(transaction);
        await forgetPaused(transaction, { messageId, round, id });
      });
    },
  };
}

const originsText = (origins: readonly Origin[] = []): string | null =>
  origins.length === 0 ? null : JSON.stringify(origins);
