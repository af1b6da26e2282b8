import {
  parseJson,
  PegboardError,
  type Chat,
  type ConversationKey,
  type Converse,
  type Deliver,
  type Limits,
  type Logger,
  type Origin,
} from 'pegboard';
import { askElsewhere, conversationOfChat, terminalChat } from 'pegboard/channels';
import { isLeft } from '../background/stopped.ts';
import { backgroundContext, readOrigins } from '../background/origin.ts';
import { showMoment } from './moment.ts';
import type { Occurrence } from './plan.ts';
import type { Schedule } from './store.ts';
import type { DeliveryState, RunState } from './tables.ts';

/** The result of a run. */
export interface Ending {
  readonly state: Extract<RunState, 'done' | 'failed' | 'uncertain'>;
  readonly reply: string | undefined;
  readonly error: string | undefined;
  readonly delivery: Extract<DeliveryState, 'none' | 'pending'>;
  /** The origins of untrusted content in the reply. */
  readonly untrusted: readonly Origin[];
}

/**
 * Performs a schedule's run with this number, and resumes an interrupted one where possible. Never rejects: failures
 * are endings too. Undefined: the host stopped, or another one has taken the run over, and that host has to continue.
 */
export type Perform = (
  run: number,
  schedule: Schedule,
  occurrence: Pick<Occurrence, 'due' | 'missed'>,
  signal: AbortSignal,
) => Promise<Ending | undefined>;

export function createPerform(converse: Converse): Perform {
  return async (run, schedule, occurrence, signal) => {
    const delivery = chatOf(schedule) ? 'pending' : 'none';
    const asked = readOrigins(schedule.untrusted);
    if (schedule.kind === 'message')
      return { state: 'done', reply: schedule.text, error: undefined, delivery, untrusted: asked };
    try {
      const key = `schedule/run/${run}`;
      const message = { ...toMessage(schedule, occurrence), key, isClaimed: true, suspend: signal };
      const { text, stopped, untrusted } = await converse(message);
      return { state: 'done', reply: text, error: stopped, delivery, untrusted };
    } catch (cause) {
      if (cause instanceof PegboardError && cause.code === 'PEG_UNCERTAIN')
        return uncertain(schedule, occurrence.due);
      if (signal.aborted || isLeft(cause)) return undefined;
      const error = cause instanceof Error ? cause.message : String(cause);
      const reply = failureText(schedule, cause, error);
      return { state: 'failed', reply, error, delivery, untrusted: asked };
    }
  };
}

/** The run was interrupted while something ran that may have had an effect. It is not repeated. */
function uncertain(schedule: Schedule, due: number): Ending {
  const when = showMoment(due, schedule.timezone);
  return {
    state: 'uncertain',
    reply: `Pegboard was stopped while something ran for schedule ${schedule.id} ("${schedule.text}", due ${when}). Whether it was done is uncertain, and it is not done again.`,
    error: 'Pegboard was stopped before it finished',
    delivery: 'pending',
    untrusted: readOrigins(schedule.untrusted),
  };
}

/** The hosts that ran it have died again and again. */
export function gaveUp(schedule: Schedule): Ending {
  const error = 'Pegboard was stopped each time while it ran';
  return {
    state: 'failed',
    reply: `Schedule ${schedule.id} ("${schedule.text}") failed: ${error}.`,
    error,
    delivery: chatOf(schedule) ? 'pending' : 'none',
    untrusted: readOrigins(schedule.untrusted),
  };
}

function chatOf({ channel, chat }: Schedule): Chat | undefined {
  return channel === null || chat === null ? undefined : { channel, chat };
}

/** The conversation that its replies belong to. */
export const conversationOf = (schedule: Schedule): ConversationKey =>
  conversationOfChat(chatOf(schedule) ?? terminalChat);

function toMessage(
  schedule: Schedule,
  { due, missed }: Pick<Occurrence, 'due' | 'missed'>,
): Parameters<Converse>[0] {
  const { id, text, agent, timezone, limits } = schedule;
  const chat = chatOf(schedule);
  const place = chat ? `the chat ${chat.chat} of ${chat.channel}` : 'the record of this schedule';
  const late =
    missed > 0
      ? ` ${missed === 1 ? '1 earlier run was' : `${missed} earlier runs were`} missed; this one replaces ${missed === 1 ? 'it' : 'them'}.`
      : '';
  return {
    source: 'schedule',
    externalId: chat ? `${chat.channel}/${chat.chat}` : String(id),
    text: `[Schedule ${id}, due ${showMoment(due, timezone)}.${late} Nobody can answer questions now. Your reply goes to ${place}.]\n\n${text}`,
    context: { schedule: id, ...(chat && backgroundContext(chat)) },
    ask: askElsewhere,
    untrusted: readOrigins(schedule.untrusted),
    ...(agent !== null && { agent }),
    ...(limits !== null && { within: parseJson(limits) as readonly Limits[] }),
  };
}

/** A failed run is reported in the chat, even without a model to phrase it. */
function failureText({ id, text }: Schedule, cause: unknown, error: string): string {
  const noModel = cause instanceof PegboardError && cause.code === 'PEG_NO_MODEL';
  return noModel ? `It is time: ${text}\n\n(${error})` : `Schedule ${id} ("${text}") failed: ${error}`;
}

/** Sends a reply to the schedule's chat, or to the terminal. Returns the error when it fails, which is then reported at the terminal. */
export async function send(
  schedule: Schedule,
  text: string,
  { deliver, log, signal }: { readonly deliver: Deliver; readonly log: Logger; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const chat = chatOf(schedule) ?? terminalChat;
  try {
    await deliver(chat, { text }, signal);
    return undefined;
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : String(cause);
    log.error('the reply of a schedule was not delivered', { schedule: schedule.id, ...chat, cause });
    if (chat.channel !== terminalChat.channel) {
      const notice = `The reply of schedule ${schedule.id} could not be delivered to ${chat.channel} (${error}). It says:\n\n${text}`;
      await deliver(terminalChat, { text: notice }, signal).catch((second: unknown) =>
        log.error('the failure could not be reported', { cause: second }),
      );
    }
    return error;
  }
}
