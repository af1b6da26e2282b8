import type { Claim, ClaimEnd, JobOutcome, QueueDefinition, TakenJob } from '../api/engine.ts';
import { messageOf } from '../core/errors.ts';
import { claimEndOf, claimLost } from './claim-lost.ts';
import { beliefMs, renewalMs, silenceMs, type Driver } from './driver.ts';

/** A job that this host works on. */
export interface HeldClaim {
  readonly claim: Claim;
  /** Whether its job has ended, or was given back. */
  readonly isOver: boolean;
  /** Ends the claim early. */
  abort(why: ClaimEnd): void;
  /** Lets another host begin the job at once. Never rejects. */
  giveBack(): Promise<void>;
  /** Counts the attempt as failed. Never rejects. */
  fail(cause: unknown): Promise<void>;
}

/** The claims of this host, renewed until they end. Disposing stops the renewals. */
export interface HeldClaims extends Disposable {
  /** `askedAt`: performance.now() before the job was taken. */
  hold(queue: QueueDefinition, job: TakenJob, askedAt: number): HeldClaim;
  /** Asks the database now about one job, or about all, since they may have been cancelled. */
  check(job?: string): void;
}

interface Held {
  readonly queue: QueueDefinition;
  readonly job: TakenJob;
  readonly ending: AbortController;
  /** performance.now() of the last proof that the claim is held. */
  renewedAt: number;
  isOver: boolean;
}

export function createHeldClaims(driver: Driver, onError: (cause: unknown) => void): HeldClaims {
  const all = new Set<Held>();
  const renewing = new Set<string>();

  const renew = async (queue: string, group: readonly Held[]): Promise<void> => {
    const askedAt = performance.now();
    const kept = await driver.renew(
      queue,
      group.map(({ job }) => job),
    );
    for (const held of group) {
      if (kept.has(held.job.id)) held.renewedAt = Math.max(held.renewedAt, askedAt);
      else if (!held.isOver) {
        const found = await driver.find(queue, held.job.id);
        abort(held, found?.state === 'cancelled' ? 'cancelled' : 'taken');
      }
    }
  };
  const renewAll = async (): Promise<void> => {
    const open = [...all].filter(({ isOver }) => !isOver);
    for (const held of open) if (performance.now() - held.renewedAt > silenceMs) abort(held, 'unknown');
    const queues = Map.groupBy(open, ({ queue }) => queue.name);
    await Promise.all(
      [...queues].map(async ([queue, group]) => {
        // The one before waits for the database.
        if (renewing.has(queue)) return;
        renewing.add(queue);
        try {
          await renew(queue, group);
        } catch (cause) {
          onError(cause);
        } finally {
          renewing.delete(queue);
        }
      }),
    );
  };
  const timer = setInterval(() => void renewAll(), renewalMs);
  timer.unref();

  return {
    hold(queue, job, askedAt) {
      const held: Held = { queue, job, ending: new AbortController(), renewedAt: askedAt, isOver: false };
      all.add(held);
      return toHeldClaim(held, driver, onError, () => void all.delete(held));
    },
    check(id) {
      if (id === undefined) void renewAll();
      else for (const held of all) if (held.job.id === id) void renew(held.queue.name, [held]).catch(onError);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function abort({ isOver, ending }: Held, why: ClaimEnd): void {
  if (!isOver) ending.abort(claimLost(why));
}

function toHeldClaim(
  held: Held,
  driver: Driver,
  onError: (cause: unknown) => void,
  onEnd: () => void,
): HeldClaim {
  const { queue, job, ending } = held;
  const { signal } = ending;
  const over = (): void => {
    held.isOver = true;
    onEnd();
  };
  const lost = (): Error => {
    if (!signal.aborted) ending.abort(claimLost('taken'));
    return claimLost('taken');
  };
  const settle = async (outcome: JobOutcome, how: { readonly atOnce: boolean }): Promise<void> => {
    try {
      await driver.transaction((transaction) => driver.settle(transaction, queue, job, outcome, how));
    } catch (cause) {
      onError(cause);
    }
    over();
  };
  const claim: Claim = {
    job,
    signal,
    isHeld: () => !held.isOver && !signal.aborted && performance.now() - held.renewedAt < beliefMs,
    async write(work) {
      if (held.isOver) throw claimLost('taken');
      signal.throwIfAborted();
      const askedAt = performance.now();
      const result = await driver.transaction(async (transaction) => {
        if (!(await driver.holds(transaction, job))) throw lost();
        return await work(transaction as never);
      });
      held.renewedAt = Math.max(held.renewedAt, askedAt);
      return result;
    },
    async end(outcome, work) {
      if (held.isOver) throw claimLost('taken');
      await driver.transaction(async (transaction) => {
        if (!(await driver.settle(transaction, queue, job, outcome))) throw lost();
        await work?.(transaction as never);
      });
      over();
    },
  };
  return {
    claim,
    get isOver() {
      return held.isOver;
    },
    abort: (why) => abort(held, why),
    giveBack: () => settle({ state: 'retry', error: 'its host stopped' }, { atOnce: true }),
    async fail(cause) {
      // Whoever took the job has it now.
      if (claimEndOf(cause) === 'taken') return over();
      await settle({ state: 'retry', error: messageOf(cause) }, { atOnce: false });
    },
  };
}
