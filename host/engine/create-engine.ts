import type { Engine, JobHandler, QueueDefinition } from '../api/engine.ts';
import { PegboardError } from '../core/errors.ts';
import { roleQueue, type Driver } from './driver.ts';
import { createHeldClaims } from './held-claims.ts';
import { startWorker, type Worker } from './worker.ts';

/** Milliseconds between two looks for a role that nobody has. */
const seekMs = 15_000;

/** Disposing ends all workers and roles, and closes the driver. `onError` gets failures that are tried again. */
export function createEngine(driver: Driver, onError: (cause: unknown) => void): Engine {
  const definitions = new Map<string, QueueDefinition>();
  const workers = new Map<string, Set<Worker>>();
  const claims = createHeldClaims(driver, onError);
  const news = driver.onNews((one) => {
    if (one.kind === 'cancelled') return claims.check(one.job);
    if (one.kind === 'added') return workers.get(one.queue)?.forEach((worker) => worker.wake(one.at));
    claims.check();
    for (const worker of [...workers.values()].flatMap((all) => [...all])) worker.wake();
  });
  const definitionOf = (name: string): QueueDefinition => {
    const found = definitions.get(name);
    if (!found) throw new PegboardError('PEG_INTERNAL', `the queue ${name} was not defined`);
    return found;
  };
  const work = (
    queue: QueueDefinition,
    options: { readonly most: number; readonly graceMs?: number },
    handler: JobHandler,
  ): AsyncDisposable => {
    const worker = startWorker({ ...options, queue, handler, driver, claims, onError });
    const ofQueue = workers.get(queue.name) ?? new Set();
    workers.set(queue.name, ofQueue.add(worker));
    return {
      async [Symbol.asyncDispose]() {
        await worker[Symbol.asyncDispose]();
        ofQueue.delete(worker);
      },
    };
  };
  return {
    async define(queues) {
      for (const queue of queues) {
        await driver.define(queue);
        definitions.set(queue.name, queue);
      }
    },
    transaction: (run) => driver.transaction(run),
    add: (transaction, job) => {
      const queue = definitionOf(job.queue);
      if (queue.order === 'key' && job.key === undefined)
        throw new PegboardError('PEG_INTERNAL', `a job of the queue ${job.queue} needs a key`);
      return driver.add(transaction as never, queue, job);
    },
    work: (name, options, handler) => work(definitionOf(name), options, handler),
    role: (name, run) => startRole(name, run, { driver, work, onError }),
    cancel: (transaction, queue, id) => driver.cancel(transaction as never, queue, id),
    find: (queue, id) => driver.find(queue, id),
    hosts: () => driver.hosts(),
    queues: () => driver.queues(),
    async [Symbol.asyncDispose]() {
      const all = [...workers.values()].flatMap((ofQueue) => [...ofQueue]);
      await Promise.all(all.map((worker) => worker[Symbol.asyncDispose]()));
      news[Symbol.dispose]();
      claims[Symbol.dispose]();
      await driver[Symbol.asyncDispose]();
    },
  };
}

interface RoleParts {
  readonly driver: Driver;
  readonly work: (
    queue: QueueDefinition,
    options: { readonly most: number },
    handler: JobHandler,
  ) => AsyncDisposable;
  readonly onError: (cause: unknown) => void;
}

/** A role is a queue with one job that is never done: whoever has claimed it holds the role. */
function startRole(name: string, run: JobHandler, { driver, work, onError }: RoleParts): AsyncDisposable {
  const queue = roleQueue(name);
  const hold: JobHandler = async (claim) => {
    await claim.write((transaction) => driver.beginRole(transaction, name));
    await run(claim);
    // Another host may begin it, or this one again.
    claim.signal.throwIfAborted();
    throw new Error(`the role ${name} ended`);
  };
  let worker: AsyncDisposable | undefined;
  let isStopped = false;
  const seek = async (): Promise<void> => {
    try {
      if (!worker) await driver.define(queue);
      if (isStopped) return;
      await driver.addIfNone(queue);
      if (!isStopped) worker ??= work(queue, { most: 1 }, hold);
    } catch (cause) {
      onError(cause);
    }
  };
  let seeking = seek();
  const timer = setInterval(() => {
    seeking = seek();
  }, seekMs);
  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      clearInterval(timer);
      await seeking;
      await worker?.[Symbol.asyncDispose]();
    },
  };
}
