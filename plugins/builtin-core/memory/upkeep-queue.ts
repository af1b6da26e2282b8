import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, QueueDefinition } from 'pegboard';
import type { Remembering } from './remembering.ts';
import { runUpkeep } from './upkeep.ts';

interface Conversation {
  readonly id: number;
  readonly source: string;
}

/** The queue of the model's work on memory, one job after the other: it must not be asked the same twice. */
const upkeepQueue: QueueDefinition = {
  name: 'core.memory-upkeep',
  order: 'key',
  // The next turn tries again.
  attempts: 3,
  backoff: { first: 30, longest: 300 },
  keptDays: 1,
};

/** Milliseconds between two looks whether another host has done it. */
const lookMs = 500;

/** The work after turns. Disposing leaves what waits to other hosts. */
export interface UpkeepQueue extends AsyncDisposable {
  /** Resolves when it is done, on whatever host. */
  run(conversation: Conversation): Promise<void>;
}

export async function openUpkeepQueue(memory: Remembering): Promise<UpkeepQueue> {
  const engine: Engine = await memory.context.engine();
  await engine.define([upkeepQueue]);
  /** Wakes those who wait for a job of this host. */
  let ended = new AbortController();
  const working = engine.work(upkeepQueue.name, { most: 1 }, async (claim) => {
    await runUpkeep(memory, claim.job.data as Conversation);
    await claim.end({ state: 'done' });
    ended.abort();
    ended = new AbortController();
  });
  const stopping = new AbortController();
  return {
    async run({ id, source }) {
      const job = await engine.transaction((transaction) =>
        engine.add(transaction, { queue: upkeepQueue.name, key: 'memory', data: { id, source } }),
      );
      while (!stopping.signal.aborted) {
        const signal = AbortSignal.any([stopping.signal, ended.signal]);
        const state = (await engine.find(upkeepQueue.name, job))?.state;
        if (state !== 'waiting' && state !== 'running') return;
        await delay(lookMs, undefined, { signal }).catch(() => {});
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await working[Symbol.asyncDispose]();
    },
  };
}
