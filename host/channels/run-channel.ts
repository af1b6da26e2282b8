import { setTimeout as delay } from 'node:timers/promises';
import type { ChannelInbox } from '../api/channels/driver.ts';
import { PegboardError } from '../core/errors.ts';
import { createWaitingRoom } from './access/waiting-room.ts';
import { createAskOwner, type AskOwner } from './asks/ask-owner.ts';
import { createAsks } from './asks/asks.ts';
import { createAskStore } from './asks/store.ts';
import type { ChannelParts } from './channel-parts.ts';
import type { DriverParts } from './driver-parts.ts';
import { commandList } from './commands/chat-commands.ts';
import { createEvents } from './inbox/events.ts';
import { createRoutes } from './inbox/routes.ts';
import { receivePicked } from './incoming/receive-file.ts';
import { route } from './incoming/router.ts';
import { createButtons } from './outgoing/buttons.ts';
import { createJobQueue } from './turns/queue.ts';
import { runJob } from './turns/run-job.ts';

/** A channel that receives events and answers them, until it is disposed. */
export interface RunningChannel extends AsyncDisposable {
  readonly askOwner: AskOwner;
}

/** Milliseconds until a driver that failed is started again. */
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** Milliseconds between two deletions of old data. */
const purgeIntervalMs = 86_400_000;

/** Receives and answers events until it is disposed or `stop` aborts. The service need not be reachable at the start. */
export function runChannel(driverParts: DriverParts, stop: AbortSignal): RunningChannel {
  const { driver, store, messages } = driverParts;
  const ending = new AbortController();
  const signal = AbortSignal.any([stop, ending.signal]);
  const parts: ChannelParts = {
    ...driverParts,
    events: createEvents({ store, driver, messages }),
    asks: createAsks({
      ...driverParts,
      store: createAskStore(store),
      receivePicked: (file) => receivePicked(file, { ...driverParts, signal }),
      signal,
    }),
    buttons: createButtons(store),
    signal,
  };
  const running = receive(parts);
  return {
    askOwner: createAskOwner(parts),
    async [Symbol.asyncDispose]() {
      ending.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      await running;
    },
  };
}

/** Never rejects. Resolves when all running work has ended. */
async function receive(parts: ChannelParts): Promise<void> {
  const { driver, status, title, events, messages, asks, signal, log } = parts;
  const logged = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      const isEnd = signal.aborted || (cause as Error | undefined)?.name === 'AbortError';
      const isTaken = cause instanceof PegboardError && cause.code === 'PEG_CLAIM_LOST';
      if (isTaken) log.info('another process answers a message', { reason: cause.message });
      else if (!isEnd) log.error(what, { cause });
    }
  };
  const purge = async (): Promise<void> => {
    await events.purge();
    await messages.purge();
  };
  const queue = createJobQueue(
    (job, isThreaded) => logged('an event could not be processed', () => runJob(job, isThreaded, parts)),
    signal,
  );
  const waitingRoom = createWaitingRoom(parts, (event) => routes.add(event));
  const routes = createRoutes((event) =>
    logged('an event could not be routed', () => route(event, { ...parts, queue, waitingRoom })),
  );
  using stack = new DisposableStack();
  const daily = setInterval(() => void logged('old events were not removed', purge), purgeIntervalMs);
  stack.defer(() => clearInterval(daily));
  let isReady = false;
  const prepare = async (): Promise<void> => {
    if (isReady) return;
    await asks.recover();
    await purge();
    for (const event of await events.open()) routes.add(event);
    isReady = true;
  };
  const take: ChannelInbox['take'] = async (received) => {
    status.working();
    for (const event of await events.store(received)) routes.add(event);
  };
  let failures = 0;
  while (!signal.aborted) {
    const began = performance.now();
    await logged(`receiving from ${title} has stopped; trying again`, async () => {
      await driver.connect?.(signal, status);
      status.working();
      await prepare();
      await driver.listen({ take, commands: commandList }, signal, status);
      signal.throwIfAborted();
      throw new Error(`the driver of ${title} has stopped listening`);
    });
    failures = performance.now() - began > maxPauseMs ? 1 : failures + 1;
    const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs);
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
  await waitingRoom.settled();
  await Promise.all([routes.settled(), queue.settled()]);
}
