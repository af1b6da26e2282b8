import type { Engine, Logger } from 'pegboard';
import type { Clock } from 'pegboard';
import { startPollLoop } from '../background/poll-loop.ts';
import { nextOccurrence } from './plan.ts';
import { runQueue, type Claims } from './claims.ts';
import { createRuns, type RunOptions } from './runs.ts';
import type { Schedule } from './store.ts';
import { timingOf, type Timing } from './timing.ts';

/** Milliseconds that the wall clock may drift from the monotonic clock in a round without being logged. */
const driftMs = 5_000;
/** Milliseconds between two purges of old runs. */
const purgeIntervalMs = 86_400_000;

/** Runs of this host at a time. */
const mostRuns = 4;
/** Milliseconds that runs get to end when the host stops; then another host continues them. */
const graceMs = 20_000;

export interface SchedulerOptions extends RunOptions {
  readonly claims: Claims;
  readonly engine: Engine;
}

/** Claims what is due, for all hosts, and performs claimed runs. Disposing ends both; other hosts continue the runs. */
export interface Scheduler extends AsyncDisposable {
  /** Checks the schedules now. Call it after they changed in this process. */
  wake(): void;
}

export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { store, claims, engine, clock, log } = options;
  await engine.define([runQueue]);
  await claims.adoptOpenRuns();

  /** Claims the occurrences that are due, up to the first that runs or that another host has claimed. */
  const claimDue = async (schedule: Schedule, timing: Timing): Promise<void> => {
    for (let current: Schedule | undefined = schedule; current; current = await store.find(schedule.id)) {
      if (current.state !== 'active' || current.paused_at !== null) return;
      const occurrence = dueNow(current, timing, clock.now());
      if (!occurrence) return;
      const run = await claims.claim(current, occurrence, clock.now());
      if (run === undefined || occurrence.runs) return;
    }
  };

  const noteJump = watchClock(clock, log);
  let purgedAt = Number.NEGATIVE_INFINITY;
  const check = async (schedule: Schedule, now: number): Promise<number> => {
    const timing = timingOf(schedule);
    if (Date.parse(schedule.handled_until) > now) {
      log.info('the clock was set back', { schedule: schedule.id });
      await claims.rewind(schedule.id, now);
      return now;
    }
    if (dueNow(schedule, timing, now)) await claimDue(schedule, timing);
    return timing.after(now) ?? Number.POSITIVE_INFINITY;
  };
  const round = async (): Promise<number> => {
    noteJump();
    if (Math.abs(clock.now() - purgedAt) >= purgeIntervalMs) {
      purgedAt = clock.now();
      await claims.forgetOld(purgedAt);
    }
    await claims.seen(clock.now());
    let next = Number.POSITIVE_INFINITY;
    for (const schedule of await store.list('active')) {
      if (schedule.paused_at !== null) continue;
      try {
        next = Math.min(next, await check(schedule, clock.now()));
      } catch (cause) {
        log.error('a schedule could not be run', { schedule: schedule.id, cause });
      }
    }
    return next - clock.now();
  };
  const loop = startPollLoop({
    round,
    onFailure: (cause) => log.error('the schedules could not be checked', { cause }),
    clock,
  });
  const perform = createRuns(options);
  const working = engine.work(runQueue.name, { most: mostRuns, graceMs }, async (claim) => {
    try {
      await perform(claim);
    } finally {
      // The next occurrence may have become due meanwhile.
      loop.wake();
    }
  });
  return {
    wake: () => loop.wake(),
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await working[Symbol.asyncDispose]();
    },
  };
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
