import { join } from 'node:path';
import {
  type Ask,
  type Channel,
  type ChannelInbox,
  type Clock,
  type Contributions,
  PegboardError,
  type PluginContext,
  type PluginDatabase,
} from 'pegboard';
import { createChannel } from 'pegboard/channels';
import { kindOf, lockHome, once, untilAborted, whenAborted, withinLimit, type Tables } from 'pegboard/kit';
import type { PageFiles } from '../store/page-files.ts';
import type { PageMessages } from '../store/page-messages.ts';
import type { PageEvent, PageDriverOptions } from './driver.ts';
import { pageSource } from './page-source.ts';

/** The page as a channel: its driver, and the process that runs it. */
export interface PageChannel {
  readonly channel: Channel;
  /** See `PageChat.serve`. */
  serve(isWatched: () => boolean, isOnServer: boolean): AsyncDisposable;
  /** See `PageChat.take`. */
  take(event: PageEvent): Promise<void>;
}

/** Milliseconds between two attempts to take over from another process. */
const takeOverMs = 1_000;
/** Milliseconds that a message waits for the channel to start. */
const startTimeoutMs = 10_000;
/** Milliseconds between two looks at whether somebody still has the page open. */
const watchedMs = 2_000;

export function createPageChannel(
  context: PluginContext,
  database: Pick<PluginDatabase<Tables>, 'isThere'>,
  stores: { readonly messages: PageMessages; readonly files: PageFiles },
): PageChannel {
  const { home, reading, log } = context;
  const { clock } = context.surroundings;
  let isWatched = (): boolean => false;
  /** The inbox of the channel while it listens. */
  let listening = Promise.withResolvers<ChannelInbox>();
  /** Wakes a channel that was not needed so far. */
  const needed = Promise.withResolvers<void>();
  let isElsewhere = false;

  const contributions = once(() =>
    openChannel(context, {
      ...stores,
      onListening(inbox, signal) {
        listening.resolve(inbox);
        signal.addEventListener('abort', () => (listening = Promise.withResolvers()), { once: true });
      },
      approve: approveWhile(() => isWatched(), clock),
    }),
  );
  const takeLock = async (signal: AbortSignal): Promise<Disposable> => {
    for (;;) {
      try {
        return await lockHome(join(home, 'data/page.lock'));
      } catch (cause) {
        if (!(cause instanceof PegboardError && cause.code === 'PEG_DENIED')) throw cause;
        isElsewhere = true;
        await clock.sleep(takeOverMs, signal);
        signal.throwIfAborted();
      }
    }
  };
  /** Never rejects. Ends with the signal. */
  const answer = async (signal: AbortSignal, isOnServer: boolean): Promise<void> => {
    try {
      // A home in which nobody has ever chatted has nothing to go on with.
      if (!database.isThere()) await untilAborted(needed.promise, signal);
      // On Postgres hosts divide the chats among themselves.
      using _lock = isOnServer ? undefined : await takeLock(signal);
      isElsewhere = false;
      const [service] = (await contributions()).services!;
      const started = await service!.start(signal);
      await whenAborted(signal);
      if (started && Symbol.asyncDispose in started) await started[Symbol.asyncDispose]();
    } catch (cause) {
      if (!signal.aborted) log.error('the chat of the page has stopped', { cause });
    }
  };
  return {
    channel: {
      deliver: async (...given) => await (await contributions()).channels![pageSource]!.deliver(...given),
    },
    serve(watched, isOnServer) {
      isWatched = watched;
      const stopping = new AbortController();
      const answering = reading ? Promise.resolve() : answer(stopping.signal, isOnServer);
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort(new DOMException('Pegboard is stopping', 'AbortError'));
          await answering;
        },
      };
    },
    async take(event) {
      needed.resolve();
      if (isElsewhere) throw elsewhere(home);
      const inbox = await withinLimit(listening.promise, startTimeoutMs, clock).catch(() => {
        throw isElsewhere ? elsewhere(home) : notStarted();
      });
      await inbox.take([{ id: `${event.kind}/${event.chat}/${event.id}`, body: event }]);
    },
  };
}

/** The channel on its driver. Whether the page is connected is seen on the page. */
async function openChannel(context: PluginContext, parts: PageDriverOptions): Promise<Contributions> {
  const { createPageDriver } = await import('./driver.ts');
  const quiet: PluginContext = Object.create(context, {
    config: { value: { allow: 'everyone', confirmations: 'none' } },
    report: { value: () => {} },
  });
  const driver = createPageDriver(parts);
  const options = {
    name: pageSource,
    title: 'the page',
    driver: () => Promise.resolve(driver),
    vouchesForOwner: false,
  };
  return createChannel(quiet, options).contributions;
}

/**
 * Somebody who has the page open sees the question there; otherwise the owner is asked on other channels. What takes
 * thought waits in the chat, also while no page is open.
 */
const approveWhile =
  (isWatched: () => boolean, clock: Clock): Ask =>
  async ({ elsewhere: askOthers, ...question }, signal) => {
    const kind = kindOf(question);
    while (isWatched()) {
      await clock.sleep(watchedMs, signal);
      signal.throwIfAborted();
    }
    if (kind !== 'form' && kind !== 'url') askOthers?.();
    return await untilAborted(new Promise<never>(() => {}), signal);
  };

const elsewhere = (home: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `Another process answers the chats of ${home}. Write in its page, or stop it: then this one goes on.`,
  );

const notStarted = (): PegboardError =>
  new PegboardError('PEG_INTERNAL', 'The chat did not start. The log says why.');
