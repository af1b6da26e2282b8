import { parseJson } from 'pegboard';
import { whenAborted } from 'pegboard/kit';
import { createWaitingRoom } from './access/waiting-room.ts';
import { createAskOwner, type AskOwner } from './asks/ask-owner.ts';
import { createAsks } from './asks/asks.ts';
import { createAskStore } from './asks/store.ts';
import type { ChannelParts } from './channel-parts.ts';
import type { DriverParts } from './driver-parts.ts';
import { commandList } from './commands/chat-commands.ts';
import { createEvents, keptSince, type StoredEvent } from './inbox/events.ts';
import { createInbox } from './inbox/inbox.ts';
import { watchHolds } from './outgoing/watch-holds.ts';
import { isHoldUp } from './failure.ts';
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

/** Milliseconds between two deletions of old data. */
const purgeIntervalMs = 86_400_000;

/** Receives and answers events until it is disposed or `stop` aborts. The service need not be reachable at the start. */
export function runChannel(driverParts: DriverParts, stop: AbortSignal): RunningChannel {
  const { name, driver, store, messages, context } = driverParts;
  const ending = new AbortController();
  const signal = AbortSignal.any([stop, ending.signal]);
  const parts: ChannelParts = {
    ...driverParts,
    events: createEvents({ store, driver, messages, clock: driverParts.clock }),
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
    // Every host has to know what the driver needs for reading events.
    await untilItWorks(() => parts.moved.refresh(), parts);
    await untilItWorks(() => parts.connection.connect(signal), parts);
    const engine = await untilItWorks(() => context.engine(), parts);
    if (!engine) return;
    await using turns = await untilItWorks(() => answerTurns(engine, parts), parts);
    if (!turns) return;
    if (driver.listensEverywhere === true) return await receive(parts);
    const role = engine.role(`channel.${name}`, (claim) =>
      receive({ ...parts, signal: AbortSignal.any([signal, claim.signal]) }),
    );
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

/** Undefined when the channel stops first. */
async function untilItWorks<Result>(
  work: () => Promise<Result>,
  { connection, clock, signal }: Pick<ChannelParts, 'connection' | 'clock' | 'signal'>,
  onAccountFailure?: (reason: string) => Promise<void>,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    const began = clock.monotonic();
    try {
      return await work();
    } catch (thrown) {
      if (signal.aborted) break;
      if (isHoldUp(thrown) && thrown.scope === 'account') await onAccountFailure?.(thrown.message);
      const pauseMs = connection.lost(thrown, clock.monotonic() - began);
      await clock.sleep(pauseMs, signal);
    }
  }
  return undefined;
}

/** Never rejects. Resolves when the signal has aborted and everything that was received is routed. */
async function receive(parts: ChannelParts): Promise<void> {
  const { driver, connection, title, events, messages, holds, asks, context, signal, clock, log } = parts;
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
    await holds.giveUp((event) => isOwed(event, parts));
    await events.purge();
    await messages.purge();
  };
  const waitingRoom = createWaitingRoom(parts, (event) => routes.add(event));
  const routes = createRoutes({
    route: (event) => route(event, { ...parts, waitingRoom }),
    find: (id) => events.find(id),
    onError: (cause) => report('an event could not be routed', cause),
    signal,
    clock,
  });
  using stack = new DisposableStack();
  const daily = setInterval(() => void logged('old events were not removed', purge), purgeIntervalMs);
  stack.defer(() => clearInterval(daily));
  const open = createInbox({ ...parts, waitingRoom, routes });
  let isReady = false;
  const listen = async (): Promise<never> => {
    if (!isReady) {
      await asks.recover();
      await purge();
      isReady = true;
    }
    await using inbox = await open();
    // A driver waits for the signal to abort: one that has aborted never does.
    signal.throwIfAborted();
    await driver.listen(inbox, signal, connection.status);
    throw new Error(`the driver of ${title} has stopped listening`);
  };
  driver.offerCommands?.(commandList(context.chatCommands.list), signal).catch((cause: Error) => {
    if (!signal.aborted) log.warn(`${title} refused the list of commands`, { reason: cause.message });
  });
  const sign = (): void => void logged('what is held back was not tried', () => holds.hasSign(''));
  connection.onRecovery(sign);
  sign();
  const watching = watchHolds(parts);
  await untilItWorks(listen, parts, (reason) =>
    logged('what is held back could not be stored', () => holds.beginForAccount(reason)),
  );
  await watching;
  await waitingRoom.settled();
  await routes.settled();
}

/** Whoever is listed or paired gets an answer however long their chat takes none; strangers as long as it is kept. */
async function isOwed(event: StoredEvent, { driver, allowed, clock }: ChannelParts): Promise<boolean> {
  const person = driver.read(parseJson(event.body))?.from?.id;
  if (person === undefined) return true;
  return (
    (await allowed.people()).includes(person) ||
    ((await allowed.has(person)) && event.received_at > keptSince(clock))
  );
}
