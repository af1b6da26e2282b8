import type { Logger } from 'pegboard';
import type { Clock } from '../background/clock.ts';
import { startPollLoop } from '../background/poll-loop.ts';
import { nextOccurrence } from './plan.ts';
import { createRuns, type RunOptions } from './runs.ts';
import type { ScheduleRun, Schedule, ScheduleStore } from './store.ts';
import { timingOf, type Timing } from './timing.ts';

/** Milliseconds that the wall clock may drift from the monotonic clock in a round without being logged. */
const driftMs = 5_000;
/** Milliseconds between two purges of old runs. */
const purgeIntervalMs = 86_400_000;

export interface SchedulerOptions extends RunOptions {
  readonly store: ScheduleStore;
}

/** Runs due schedules. Disposing cancels and awaits what still runs. */
export interface Scheduler extends AsyncDisposable {
  /** Checks the schedules now. Call it after they changed in this process. */
  wake(): void;
}

export function startScheduler(options: SchedulerOptions): Scheduler {
  const { store, claims, clock, log } = options;
  const runs = createRuns(options);
  /** A due schedule is waiting for a free slot. */
  let crowded = false;

  /** Performs occurrences one by one while one is due. Resolves with false when another process has claimed it. */
  const work = async (first: Schedule, timing: Timing): Promise<boolean> => {
    let schedule: Schedule | undefined = first;
    while (schedule?.state === 'active' && schedule.paused_at === null && !loop.signal.aborted) {
      const occurrence = dueNow(schedule, timing, clock.now());
      if (!occurrence) return true;
      const run = await claims.claim(schedule, occurrence, clock.now());
      if (run !== undefined && occurrence.runs) await runs.perform(run, schedule, occurrence, loop.signal);
      const { handled_until: before, asked_at: asked } = schedule;
      schedule = await store.find(schedule.id);
      if (run === undefined && schedule?.handled_until === before && schedule.asked_at === asked)
        return false;
    }
    return true;
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

  /** Takes over from processes that died: resumes their runs where possible and sends their unsent replies. */
  const takeOver = async (): Promise<void> => {
    for (const run of await claims.takeAbandoned()) {
      const schedule = await store.find(run.schedule_id);
      if (!schedule) continue;
      if (run.state === 'running') resume(run, schedule);
      else await runs.sendReply(run, schedule, loop.signal);
    }
  };
  const resume = (run: ScheduleRun, schedule: Schedule): void =>
    loop.begin(schedule.id, async () => {
      const occurrence = { due: Date.parse(run.due_at), missed: run.missed };
      await runs
        .perform(run.id, schedule, occurrence, loop.signal)
        .catch((cause: unknown) =>
          log.error('a schedule could not be resumed', { schedule: schedule.id, cause }),
        );
      return true;
    });

  const noteJump = watchClock(clock, log);
  let purgedAt = Number.NEGATIVE_INFINITY;
  const round = async (): Promise<number> => {
    noteJump();
    if (Math.abs(clock.now() - purgedAt) >= purgeIntervalMs) {
      purgedAt = clock.now();
      await claims.forgetOld(purgedAt);
    }
    await claims.seen(clock.now());
    await takeOver();
    let next = Number.POSITIVE_INFINITY;
    crowded = false;
    for (const schedule of await store.list('active')) {
      if (schedule.paused_at !== null || loop.isBusy(schedule.id)) continue;
      const timing = timingOf(schedule);
      const now = clock.now();
      if (Date.parse(schedule.handled_until) > now) {
        log.info('the clock was set back', { schedule: schedule.id });
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
    onFailure: (cause) => log.error('the schedules could not be checked', { cause }),
    clock,
  });
  return loop;
}

/** Returns a function that logs when the wall clock has drifted from the monotonic clock since its last call. */
function watchClock(clock: Clock, log: Logger): () => void {
  let [wall, monotonic] = [clock.now(), clock.monotonic()];
  return () => {
    const jump = clock.now() - wall - (clock.monotonic() - monotonic);
    if (Math.abs(jump) > driftMs)
      log.info('the clock jumped, or the machine slept', { ms: Math.round(jump) });
    [wall, monotonic] = [clock.now(), clock.monotonic()];
  };
}

function dueNow(schedule: Schedule, timing: Timing, now: number): ReturnType<typeof nextOccurrence> {
  const askedAt = schedule.asked_at;
  if (askedAt !== null) return { due: Date.parse(askedAt), runs: true, missed: 0, isAsked: true };
  const handledUntil = Date.parse(schedule.handled_until);
  return nextOccurrence(timing, { handledUntil, now, catchUp: schedule.catch_up });
}
