import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ask } from '../api/ask.ts';
import type { Channel } from '../api/channels/channel.ts';
import type { ChannelInbox } from '../api/channels/driver.ts';
import type { RunningTurns } from '../agent/running-turns.ts';
import type { PageEvent } from '../channels/page/driver.ts';
import { PegboardError } from '../core/errors.ts';
import { untilAborted } from '../core/async/deadline.ts';
import { createContext, type PluginServices } from '../plugins/context.ts';
import { createReports } from '../plugins/reports.ts';
import { createConversations, type Conversations } from '../store/conversations/conversations.ts';
import { createTranscripts, type Transcripts } from '../store/conversations/transcripts.ts';
import { lockHome } from '../store/files/home-lock.ts';
import { createPageFiles, type PageFiles } from '../store/page/page-files.ts';
import { createPageMessages, type PageMessages } from '../store/page/page-messages.ts';
import type { Foundation } from './foundation.ts';

/** The name of the channel, and the source of its conversations. */
export const pageSource = 'web';

/** The chats of the page in the browser. What is sent to them is stored, whether or not a page is open. */
export interface PageChat {
  readonly messages: PageMessages;
  readonly files: PageFiles;
  readonly transcripts: Transcripts;
  readonly conversations: Pick<Conversations, 'list'>;
  readonly running: RunningTurns;
  /**
   * Answers what is written, until it is closed; interrupted turns go on. One process of the home does at a time: the
   * others wait for it to end. `isWatched`: whether somebody has the page open, who sees its questions.
   */
  serve(isWatched: () => boolean): AsyncDisposable;
  /** Resolves when the event is on disk. Throws PEG_DENIED while another process answers. */
  take(event: PageEvent): Promise<void>;
  /** Ids of messages that were taken and are not answered yet. */
  waiting(chat: string): Promise<readonly string[]>;
}

/** Milliseconds between two attempts to take over from another process. */
const takeOverMs = 1_000;
/** Milliseconds that a message waits for the channel to start. */
const startTimeoutMs = 10_000;
/** Milliseconds between two looks at whether somebody still has the page open. */
const watchedMs = 2_000;

export function createPageChat(
  { home, reading, database, data, log }: Foundation,
  services: () => PluginServices,
  running: RunningTurns,
  opened: AsyncDisposableStack,
): { readonly chat: PageChat; readonly channel: Channel } {
  const messages = createPageMessages(database);
  const files = createPageFiles(database, data('page'));
  const owned = opened.use(new AsyncDisposableStack());
  let isWatched = (): boolean => false;
  /** The inbox of the channel while it listens. */
  let listening = Promise.withResolvers<ChannelInbox>();
  /** Wakes a channel that was not needed so far. */
  const needed = Promise.withResolvers<void>();
  let isElsewhere = false;

  /** Somebody who has the page open sees the question there; otherwise the owner is asked on other channels. */
  const approve: Ask = async ({ elsewhere }, signal) => {
    while (isWatched()) await delay(watchedMs, undefined, { signal });
    elsewhere?.();
    return await untilAborted(new Promise<never>(() => {}), signal);
  };

  const open = async () => {
    const [{ createChannel }, { createPageDriver }] = await Promise.all([
      import('../channels/create-channel.ts'),
      import('../channels/page/driver.ts'),
    ]);
    const { context } = owned.use(
      createContext(
        { id: pageSource, requires: {}, packs: {} },
        { allow: 'everyone', confirmations: 'none' },
        // Whether the page is connected is seen on the page.
        { ...services(), reports: createReports() },
      ),
    );
    const driver = createPageDriver({
      messages,
      files,
      approve,
      onListening(inbox, signal) {
        listening.resolve(inbox);
        signal.addEventListener('abort', () => (listening = Promise.withResolvers()), { once: true });
      },
    });
    return createChannel(context, {
      name: pageSource,
      title: 'the page',
      driver: () => Promise.resolve(driver),
    }).contributions;
  };
  let opening: ReturnType<typeof open> | undefined;
  const contributions = (): ReturnType<typeof open> => (opening ??= open());

  /** Never rejects. Ends with the signal. */
  const answer = async (signal: AbortSignal): Promise<void> => {
    try {
      // A home in which nobody has ever chatted has nothing to go on with.
      if (!existsSync(database.path)) await untilAborted(needed.promise, signal);
      using _lock = await takeLock(signal);
      isElsewhere = false;
      const [service] = (await contributions()).services;
      const started = await service!.start(signal);
      await untilAborted(new Promise<never>(() => {}), signal).catch(() => {});
      if (started && Symbol.asyncDispose in started) await started[Symbol.asyncDispose]();
    } catch (cause) {
      if (!signal.aborted) log.error('the chat of the page has stopped', { cause });
    }
  };
  const takeLock = async (signal: AbortSignal): Promise<Disposable> => {
    for (;;) {
      try {
        return await lockHome(data('page.lock'));
      } catch (cause) {
        if (!(cause instanceof PegboardError && cause.code === 'PEG_DENIED')) throw cause;
        isElsewhere = true;
        await delay(takeOverMs, undefined, { signal });
      }
    }
  };

  return {
    chat: {
      messages,
      files,
      transcripts: createTranscripts(database),
      conversations: createConversations(database),
      running,
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
        const tooLate = AbortSignal.timeout(startTimeoutMs);
        const inbox = await untilAborted(listening.promise, tooLate).catch(() => {
          throw isElsewhere ? elsewhere(home) : notStarted();
        });
        await inbox.take([{ id: `${event.kind}/${event.chat}/${event.id}`, body: event }]);
      },
      async waiting(chat) {
        const db = await database.existing();
        const rows = await db
          ?.selectFrom('channel_events')
          .select('event')
          .where('channel', '=', pageSource)
          .where('conversation', '=', chat)
          .where('state', 'in', ['new', 'working'])
          .execute();
        const prefix = `message/${chat}/`;
        return (rows ?? []).flatMap(({ event }) =>
          event.startsWith(prefix) ? [event.slice(prefix.length)] : [],
        );
      },
    },
    channel: {
      deliver: async (...given) => await (await contributions()).channels[pageSource]!.deliver(...given),
    },
  };
}

const elsewhere = (home: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `Another process answers the chats of ${home}. Write in its page, or stop it: then this one goes on.`,
  );

const notStarted = (): PegboardError =>
  new PegboardError('PEG_INTERNAL', 'The chat did not start. The log says why.');
