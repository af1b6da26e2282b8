import type { Deliver, History, Logger, Origin } from 'pegboard';
import type { Clock } from '../background/clock.ts';
import { readOrigins } from '../background/origin.ts';
import { startPollLoop } from '../background/poll-loop.ts';
import type { Claims, Ending } from './claims.ts';
import { conversationOf, send, type Perform } from './perform.ts';
import { nextOccurrence } from './plan.ts';
import type { ScheduleRun, Schedule, ScheduleStore } from './store.ts';
import { timingOf, type Timing } from './timing.ts';

/** Milliseconds by which wall clock and monotonic clock may drift apart in a round. */
const driftMs = 5_000;
/** Milliseconds between two times that old runs are forgotten. */
const purgeIntervalMs = 86_400_000;

export interface SchedulerOptions {
  readonly store: ScheduleStore;
  readonly claims: Claims;
  readonly perform: Perform;
  readonly deliver: Deliver;
  readonly history: Pick<History, 'note'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Runs what is due until it is disposed; then what still runs is cancelled and awaited. */
export interface Scheduler extends AsyncDisposable {
  /** Schedules changed in this process: look again now. */
  wake(): void;
}

export function startScheduler(options: SchedulerOptions): Scheduler {
  const { store, claims, clock, log } = options;
  /** Something is due and waits for a place. */
  let crowded = false;

  /** One occurrence after the other, as long as one is due. False: another process is at it. */
  const work = async (first: Schedule, timing: Timing): Promise<boolean> => {
    let schedule: Schedule | undefined = first;
    while (schedule?.state === 'active' && !loop.signal.aborted) {
      const occurrence = dueNow(schedule, timing, clock.now());
      if (!occurrence) return true;
      const run = await claims.claim(schedule, occurrence, clock.now());
      if (run !== undefined && occurrence.runs) await perform(run, schedule, occurrence);
      const before = schedule.handled_until;
      schedule = await store.find(schedule.id);
      if (run === undefined && schedule?.handled_until === before) return false;
    }
    return true;
  };

  const perform = async (
    run: number,
    schedule: Schedule,
    occurrence: { readonly due: number; readonly missed: number },
  ): Promise<void> => {
    const ending = await options.perform(run, schedule, occurrence, loop.signal);
    if (ending) await finish(run, schedule, ending);
    else await claims.release(run);
  };
  const finish = async (run: number, schedule: Schedule, ending: Ending): Promise<void> => {
    const released = loop.signal.aborted;
    await claims.end(run, ending, clock.now(), { released });
    // What can't be sent any more is sent by the next host.
    if (ending.delivery === 'pending' && !released)
      await tell(run, schedule, { text: ending.reply ?? '', untrusted: ending.untrusted });
  };
  const tell = async (run: number, schedule: Schedule, said: Said): Promise<void> => {
    const error = await send(schedule, said.text, { deliver: options.deliver, log, signal: loop.signal });
    if (error === undefined) await options.history.note(conversationOf(schedule), noteOf(schedule, said));
    await claims.endDelivery(run, error);
  };

  const begin = (schedule: Schedule, timing: Timing): void => {
    loop.begin(schedule.id, async () => {
      const advanced = await work(schedule, timing).catch((cause: unknown) => {
        log.error('a schedule could not be run', { schedule: schedule.id, cause });
        return false;
      });
      return advanced || crowded;
    });
  };

  /** What a process that died had claimed goes on where it can, and what it had not sent is sent. */
  const settle = async (): Promise<void> => {
    for (const run of await claims.takeAbandoned()) {
      const schedule = await store.find(run.schedule_id);
      if (!schedule) continue;
      if (run.state === 'running') goOn(run, schedule);
      else await tell(run.id, schedule, { text: again(run), untrusted: readOrigins(run.untrusted) });
    }
  };
  const goOn = (run: ScheduleRun, schedule: Schedule): void =>
    loop.begin(schedule.id, async () => {
      await perform(run.id, schedule, { due: Date.parse(run.due_at), missed: run.missed }).catch(
        (cause: unknown) => log.error('a schedule could not go on', { schedule: schedule.id, cause }),
      );
      return true;
    });

  let [wall, real] = [clock.now(), clock.monotonic()];
  const noteJump = (): void => {
    const jump = clock.now() - wall - (clock.monotonic() - real);
    if (Math.abs(jump) > driftMs)
      log.info('the clock jumped, or the machine slept', { ms: Math.round(jump) });
    [wall, real] = [clock.now(), clock.monotonic()];
  };
  let forgotAt = Number.NEGATIVE_INFINITY;
  const round = async (): Promise<number> => {
    noteJump();
    if (Math.abs(clock.now() - forgotAt) >= purgeIntervalMs) {
      forgotAt = clock.now();
      await claims.forgetOld(forgotAt);
    }
    await claims.seen(clock.now());
    await settle();
    let next = Number.POSITIVE_INFINITY;
    crowded = false;
    for (const schedule of await store.list('active')) {
      if (loop.isBusy(schedule.id)) continue;
      const timing = timingOf(schedule);
      const now = clock.now();
      if (Date.parse(schedule.handled_until) > now) {
        log.info('the clock was put back', { schedule: schedule.id });
        await claims.rewind(schedule.id, now);
        next = now;
      } else if (!dueNow(schedule, timing, now)) {
        next = Math.min(next, timing.after(now) ?? Number.POSITIVE_INFINITY);
      } else if (loop.isFull) crowded = true;
      else begin(schedule, timing);
    }
    return next - clock.now();
  };

  const loop = startPollLoop({
    round,
    onFailure: (cause) => log.error('the schedules could not be looked at', { cause }),
    clock,
  });
  return loop;
}

interface Said {
  readonly text: string;
  readonly untrusted: readonly Origin[];
}

/** The next turns of the chat read it there: in full, and whose it is. */
const noteOf = ({ id }: Schedule, { text, untrusted }: Said): Said => ({
  text: `[Sent by schedule ${id}]\n${text}`,
  untrusted,
});

function dueNow(schedule: Schedule, timing: Timing, now: number): ReturnType<typeof nextOccurrence> {
  const handledUntil = Date.parse(schedule.handled_until);
  return nextOccurrence(timing, { handledUntil, now, catchUp: schedule.catch_up });
}

/** It may have arrived before the process died; what no process has begun to send has not. */
const again = ({ reply, state, owner }: ScheduleRun): string =>
  state === 'uncertain' || owner === ''
    ? (reply ?? '')
    : `${reply ?? ''}\n\n(Pegboard was stopped while this was being sent; it may come a second time.)`;
