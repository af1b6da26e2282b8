import { setTimeout as delay } from 'node:timers/promises';
import type { ChannelInbox } from '../api/channels/driver.ts';
import type { Engine } from '../api/engine.ts';
import { whenAborted } from '../core/async/deadline.ts';
import { createWaitingRoom } from './access/waiting-room.ts';
import { createAskOwner, type AskOwner } from './asks/ask-owner.ts';
import { createAsks } from './asks/asks.ts';
import { createAskStore } from './asks/store.ts';
import type { ChannelParts } from './channel-parts.ts';
import type { DriverParts } from './driver-parts.ts';
import { commandList } from './commands/chat-commands.ts';
import { createEvents, type StoredEvent } from './inbox/events.ts';
import { createTurnQueue } from './inbox/turn-queue.ts';
import { createRoutes } from './inbox/routes.ts';
import { receivePicked } from './incoming/receive-file.ts';
import { route } from './incoming/router.ts';
import { createButtons } from './outgoing/buttons.ts';
import { answerTurns } from './turns/answer-turns.ts';

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
  const { name, driver, store, messages, context } = driverParts;
  const ending = new AbortController();
  const signal = AbortSignal.any([stop, ending.signal]);
  const parts: ChannelParts = {
    ...driverParts,
    events: createEvents({ store, driver, messages }),
    turns: createTurnQueue({ store, account: driver.account ?? '', engine: () => context.engine() }),
    asks: createAsks({
      ...driverParts,
      store: createAskStore(store),
      receivePicked: (file) => receivePicked(file, { ...driverParts, signal }),
      signal,
    }),
    buttons: createButtons(store),
    signal,
  };
  const run = async (): Promise<void> => {
    const opened = await connectPatiently(parts);
    if (!opened) return;
    await using _turns = await answerTurns(opened, parts);
    if (driver.listensEverywhere === true) return await receive(parts, { isConnected: true });
    let isConnected = true;
    const role = opened.role(`channel.${name}`, async (claim) => {
      const own = { ...parts, signal: AbortSignal.any([signal, claim.signal]) };
      const receiving = receive(own, { isConnected });
      isConnected = false;
      await receiving;
    });
    await whenAborted(signal);
    await role[Symbol.asyncDispose]();
  };
  const running = run();
  return {
    askOwner: createAskOwner(parts),
    async [Symbol.asyncDispose]() {
      ending.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      await running;
    },
  };
}

/** Every host has to know what the driver needs for reading events. Undefined when the channel stops first. */
async function connectPatiently({
  driver,
  status,
  title,
  context,
  signal,
  log,
}: ChannelParts): Promise<Engine | undefined> {
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      await driver.connect?.(signal, status);
      status.working();
      return await context.engine();
    } catch (cause) {
      if (!signal.aborted) log.error(`receiving from ${title} has stopped; trying again`, { cause });
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

/** Never rejects. Resolves when the signal has aborted and everything that was received is routed. */
async function receive(
  parts: ChannelParts,
  { isConnected }: { readonly isConnected: boolean },
): Promise<void> {
  const { driver, status, title, allowed, events, turns, messages, asks, context, signal, log } = parts;
  const report = (what: string, cause: unknown): void => {
    const isEnd = signal.aborted || (cause as Error | undefined)?.name === 'AbortError';
    if (!isEnd) log.error(what, { cause });
  };
  const logged = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      report(what, cause);
    }
  };
  const purge = async (): Promise<void> => {
    await events.purge();
    await messages.purge();
  };
  const waitingRoom = createWaitingRoom(parts, (event) => routes.add(event));
  const routes = createRoutes({
    route: (event) => route(event, { ...parts, waitingRoom }),
    find: (id) => events.find(id),
    onError: (cause) => report('an event could not be routed', cause),
    signal,
  });
  using stack = new DisposableStack();
  const daily = setInterval(() => void logged('old events were not removed', purge), purgeIntervalMs);
  stack.defer(() => clearInterval(daily));
  let isReady = false;
  /** Events may be stored that nobody routes: from before, or because the answer of the database was lost. */
  let hasLeft = true;
  let sweeps = 0;
  const routeLeft = async (): Promise<void> => {
    sweeps++;
    for (const event of await turns.left())
      if (!waitingRoom.holds(event)) routes.add(event, { wasLeft: true });
    hasLeft = false;
  };
  const prepare = async (): Promise<void> => {
    if (!isReady) {
      await asks.recover();
      await purge();
      isReady = true;
    }
    if (hasLeft) await routeLeft();
  };
  const take: ChannelInbox['take'] = async (received, position) => {
    if (received.length > 0) status.working();
    const before = sweeps;
    let stored: readonly StoredEvent[];
    try {
      stored = await events.store(received, position);
    } catch (cause) {
      hasLeft = true;
      throw cause;
    }
    // Those that were left came before these, and may be among them.
    if (hasLeft || sweeps > before) return await routeLeft();
    for (const event of stored) routes.add(event);
  };
  let failures = 0;
  let connects = !isConnected;
  while (!signal.aborted) {
    const began = performance.now();
    await logged(`receiving from ${title} has stopped; trying again`, async () => {
      if (connects) {
        await driver.connect?.(signal, status);
        status.working();
      }
      connects = true;
      await prepare();
      const position = await events.position();
      const commands = commandList(context.chatCommands.list);
      const inbox = { take, position, people: () => allowed.people(), commands };
      await driver.listen(inbox, signal, status);
      signal.throwIfAborted();
      throw new Error(`the driver of ${title} has stopped listening`);
    });
    failures = performance.now() - began > maxPauseMs ? 1 : failures + 1;
    const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs);
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
  await waitingRoom.settled();
  await routes.settled();
}
