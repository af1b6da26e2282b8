import type { Ask } from '../api/ask.ts';
import type { Channel } from '../api/channels/channel.ts';
import type { ChannelInbox } from '../api/channels/inbox.ts';
import type { Logger } from '../api/log.ts';
import type { Contributions } from '../api/plugin.ts';
import type { Clock, Surroundings } from '../api/surroundings.ts';
import type { PageEvent } from '../channels/page/driver.ts';
import { pageSource } from '../channels/page/page-source.ts';
import { kindOf } from '../core/question-kind.ts';
import { PegboardError } from '../core/errors.ts';
import { untilAborted, whenAborted, withinLimit } from '../core/async/deadline.ts';
import { once } from '../core/async/once.ts';
import { isOnPostgres } from './home-database.ts';
import { createContext, type PluginServices } from '../plugins/context.ts';
import { createReports } from '../plugins/reports.ts';
import type { Database } from '../store/database/database.ts';
import type { PageFiles } from '../store/page/page-files.ts';
import type { PageMessages } from '../store/page/page-messages.ts';

/** The part of a host's foundation that the chats need. */
export interface PageFoundation {
  readonly home: string;
  readonly surroundings: Pick<Surroundings, 'clock'>;
  readonly reading: boolean;
  readonly database: Database;
  /** The path of something in `<home>/data`. */
  readonly data: (name: string) => string;
  readonly log: Logger;
}

/** The page as a channel: its driver, and the process that runs it. */
export interface PageChannel {
  readonly channel: Channel;
  /** See `PageChat.serve`. */
  serve(isWatched: () => boolean): AsyncDisposable;
  /** See `PageChat.take`. */
  take(event: PageEvent): Promise<void>;
}

/** Milliseconds between two attempts to take over from another process. */
const takeOverMs = 1_000;
/** Milliseconds that a message waits for the channel to start. */
const startTimeoutMs = 10_000;
/** Milliseconds between two looks at whether somebody still has the page open. */
const watchedMs = 2_000;

/** What is opened is closed with `opened`. */
export function createPageChannel(
  { home, surroundings: { clock }, reading, database, data, log }: PageFoundation,
  services: () => PluginServices,
  stores: { readonly messages: PageMessages; readonly files: PageFiles },
  opened: AsyncDisposableStack,
): PageChannel {
  let isWatched = (): boolean => false;
  /** The inbox of the channel while it listens. */
  let listening = Promise.withResolvers<ChannelInbox>();
  /** Wakes a channel that was not needed so far. */
  const needed = Promise.withResolvers<void>();
  let isElsewhere = false;

  const contributions = once(() =>
    openChannel(services(), opened.use(new AsyncDisposableStack()), {
      ...stores,
      onListening(inbox, signal) {
        listening.resolve(inbox);
        signal.addEventListener('abort', () => (listening = Promise.withResolvers()), { once: true });
      },
      approve: approveWhile(() => isWatched(), clock),
    }),
  );
  const takeLock = async (signal: AbortSignal): Promise<Disposable> => {
    const { lockHome } = await import('../store/files/home-lock.ts');
    for (;;) {
      try {
        return await lockHome(data('page.lock'));
      } catch (cause) {
        if (!(cause instanceof PegboardError && cause.code === 'PEG_DENIED')) throw cause;
        isElsewhere = true;
        await clock.sleep(takeOverMs, signal);
        signal.throwIfAborted();
      }
    }
  };
  /** Never rejects. Ends with the signal. */
  const answer = async (signal: AbortSignal): Promise<void> => {
    try {
      // A home in which nobody has ever chatted has nothing to go on with.
      if (!database.isThere()) await untilAborted(needed.promise, signal);
      // On Postgres hosts divide the chats among themselves.
      using _lock = isOnPostgres(database) ? undefined : await takeLock(signal);
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
    serve(watched) {
      isWatched = watched;
      const stopping = new AbortController();
      const answering = reading ? Promise.resolve() : answer(stopping.signal);
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

/** The channel on its driver, with a context like that of a plugin. */
async function openChannel(
  services: PluginServices,
  owned: AsyncDisposableStack,
  parts: Parameters<typeof import('../channels/page/driver.ts').createPageDriver>[0],
): Promise<Contributions> {
  const [{ createChannel }, { createPageDriver }] = await Promise.all([
    import('../channels/create-channel.ts'),
    import('../channels/page/driver.ts'),
  ]);
  const made = owned.use(
    createContext(
      { id: pageSource, requires: {}, packs: {} },
      { allow: 'everyone', confirmations: 'none' },
      // Whether the page is connected is seen on the page.
      { ...services, reports: createReports() },
    ),
  );
  owned.defer(() => made.retire());
  const driver = createPageDriver(parts);
  const options = { name: pageSource, title: 'the page', driver: () => Promise.resolve(driver) };
  return createChannel(made.context, options).contributions;
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
