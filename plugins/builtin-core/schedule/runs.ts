import type { Deliver, History, Logger, Origin } from 'pegboard';
import type { Clock } from '../background/clock.ts';
import { readOrigins } from '../background/origin.ts';
import type { Claims, Ending } from './claims.ts';
import { conversationOf, send, type Perform } from './perform.ts';
import type { Occurrence } from './plan.ts';
import type { ScheduleRun, Schedule } from './store.ts';

export interface RunOptions {
  readonly claims: Claims;
  readonly perform: Perform;
  readonly deliver: Deliver;
  readonly history: Pick<History, 'note'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Performs claimed runs and sends their replies. `signal` aborts when the host stops. */
export interface Runs {
  /** Performs a run and records its ending. When the host stops first, the run is released to the next host. */
  perform(
    run: number,
    schedule: Schedule,
    occurrence: Pick<Occurrence, 'due' | 'missed'>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Sends the reply of a run whose process died before sending it. */
  sendReply(run: ScheduleRun, schedule: Schedule, signal: AbortSignal): Promise<void>;
}

export function createRuns({ claims, clock, log, deliver, history, perform }: RunOptions): Runs {
  const finish = async (
    run: number,
    schedule: Schedule,
    ending: Ending,
    signal: AbortSignal,
  ): Promise<void> => {
    const released = signal.aborted;
    await claims.end(run, ending, clock.now(), { released });
    // A released reply is sent by the next host.
    if (ending.delivery === 'pending' && !released)
      await sendText(run, schedule, { text: ending.reply ?? '', untrusted: ending.untrusted }, signal);
  };
  const sendText = async (
    run: number,
    schedule: Schedule,
    reply: Reply,
    signal: AbortSignal,
  ): Promise<void> => {
    const error = await send(schedule, reply.text, { deliver, log, signal });
    if (error === undefined) await history.note(conversationOf(schedule), noteOf(schedule, reply));
    await claims.endDelivery(run, error);
  };
  return {
    async perform(run, schedule, occurrence, signal) {
      const ending = await perform(run, schedule, occurrence, signal);
      if (ending) await finish(run, schedule, ending, signal);
      else await claims.release(run);
    },
    async sendReply(run, schedule, signal) {
      const reply = { text: unsentReply(run), untrusted: readOrigins(run.untrusted) };
      await sendText(run.id, schedule, reply, signal);
    },
  };
}

interface Reply {
  readonly text: string;
  readonly untrusted: readonly Origin[];
}

/** Added to the chat's history, so that later turns see the whole reply and its origins. */
const noteOf = ({ id }: Schedule, { text, untrusted }: Reply): Reply => ({
  text: `[Sent by schedule ${id}]\n${text}`,
  untrusted,
});

/** A process that died may have sent the reply already. */
const unsentReply = ({ reply, state, owner }: ScheduleRun): string =>
  state === 'uncertain' || owner === ''
    ? (reply ?? '')
    : `${reply ?? ''}\n\n(Pegboard was stopped while this was being sent; it may come a second time.)`;
