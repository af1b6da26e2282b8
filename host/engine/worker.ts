import { setTimeout as delay } from 'node:timers/promises';
import type { JobHandler, QueueDefinition, TakenJob, WorkOptions } from '../api/engine.ts';
import type { Driver } from './driver.ts';
import type { HeldClaim, HeldClaims } from './held-claims.ts';

export interface WorkerOptions extends WorkOptions {
  readonly queue: QueueDefinition;
  readonly handler: JobHandler;
  readonly driver: Driver;
  readonly claims: HeldClaims;
  readonly onError: (cause: unknown) => void;
}

/** Takes and runs the jobs of one queue until it is disposed. */
export interface Worker extends AsyncDisposable {
  /** Looks for jobs now, or at a moment: milliseconds since 1970. */
  wake(at?: number): void;
}

/** Milliseconds until the next try after the database failed. */
const pauseAfterError = 250;
const defaultGraceMs = 1_000;
/** The longest time that Node's timers can wait. */
const maxTimerMs = 2 ** 31 - 1;

export function startWorker(options: WorkerOptions): Worker {
  const { queue, most, graceMs = defaultGraceMs, handler, driver, claims, onError } = options;
  const running = new Map<Promise<void>, HeldClaim>();
  const moments = new Set<number>();
  const stopping = new AbortController();
  let hasNews = false;
  let wakeUp = (): void => {};
  let timer: NodeJS.Timeout | undefined;

  const wake = (at?: number): void => {
    if (at !== undefined && at > Date.now()) {
      moments.add(at);
      // One that sleeps has set its timer without it.
      if (at === Math.min(...moments)) setTimer();
      return;
    }
    hasNews = true;
    wakeUp();
  };
  const setTimer = (): void => {
    clearTimeout(timer);
    const next = Math.min(...moments, Date.now() + driver.pollMs * (0.8 + Math.random() * 0.4));
    timer = setTimeout(() => wake(), Math.min(Math.max(next - Date.now(), 0), maxTimerMs));
  };
  const sleep = async (): Promise<void> => {
    if (hasNews) return;
    setTimer();
    await new Promise<void>((resolve) => (wakeUp = resolve));
    clearTimeout(timer);
  };
  const start = (job: TakenJob, askedAt: number): void => {
    const held = claims.hold(queue, job, askedAt);
    const work = runJob(held, queue, handler).finally(() => {
      running.delete(work);
      wake();
    });
    running.set(work, held);
  };
  /** Whether there may be more. */
  const takeJobs = async (): Promise<boolean> => {
    const room = most - running.size;
    if (room <= 0) return false;
    const askedAt = performance.now();
    const { jobs, nextAt } = await driver.take(queue, room);
    for (const job of jobs) start(job, askedAt);
    if (nextAt !== undefined) moments.add(nextAt);
    return jobs.length === room && running.size < most;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      hasNews = false;
      for (const at of moments) if (at <= Date.now()) moments.delete(at);
      try {
        if (await takeJobs()) continue;
      } catch (cause) {
        onError(cause);
        await delay(pauseAfterError);
        continue;
      }
      if (!stopping.signal.aborted) await sleep();
    }
  };
  const looping = loop();

  return {
    wake,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      wake();
      for (const held of running.values()) held.abort('stopping');
      await looping;
      for (const held of running.values()) held.abort('stopping');
      const left = [...running];
      const ended = Promise.all(left.map(([work]) => work));
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
      await Promise.all(left.filter(([, { isOver }]) => !isOver).map(([, held]) => held.giveBack()));
    },
  };
}

/** Never rejects. */
async function runJob(held: HeldClaim, queue: QueueDefinition, handler: JobHandler): Promise<void> {
  const { claim } = held;
  try {
    if (claim.job.attempt > queue.attempts) {
      return await claim.end({ state: 'dead', error: 'its hosts died while they worked on it' });
    }
    await handler(claim);
    if (held.isOver) return;
    // A handler that was aborted and returned has not done its work.
    if (claim.signal.aborted) await held.giveBack();
    else await claim.end({ state: 'done' });
  } catch (cause) {
    if (held.isOver) return;
    if (claim.signal.aborted) await held.giveBack();
    else await held.fail(cause);
  }
}
