import { setTimeout as delay } from 'node:timers/promises';
import type { Update, UserFromGetMe } from 'grammy/types';
import type { Logger } from 'pegboard';
import type { Asks } from './asks/asks.ts';
import type { BotApi } from './bot-api.ts';
import type { WebhookConfig } from './config.ts';
import { failureOf } from './failure.ts';
import { poll } from './inbox/poller.ts';
import type { StoredUpdate, Updates } from './inbox/updates.ts';
import { listenForUpdates } from './inbox/webhook.ts';
import type { Messages } from './outgoing/messages.ts';
import { commandList } from './turns/chat-commands.ts';
import type { Job } from './turns/job.ts';
import { createJobQueue, type JobQueue } from './turns/queue.ts';

export interface ServiceParts {
  readonly api: BotApi;
  readonly updates: Updates;
  readonly messages: Messages;
  readonly asks: Asks;
  readonly webhook: WebhookConfig | undefined;
  /** Rejects when `signal` aborts. */
  readonly run: (job: Job, isThreaded: () => boolean) => Promise<void>;
  readonly route: (update: StoredUpdate, queue: JobQueue) => Promise<void>;
  readonly onMe: (me: UserFromGetMe) => void;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Milliseconds between two times that what is old goes. */
const purgeIntervalMs = 86_400_000;
/** Milliseconds between attempts to find out who the bot is. */
const maxWaitMs = 4_000;

/**
 * Takes updates and answers them until `signal` aborts; Telegram need not be there when it starts. Resolves when all
 * that was begun has ended.
 */
export async function startService(parts: ServiceParts): Promise<void> {
  const { api, updates, messages, asks, webhook, signal, log } = parts;
  const logged = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      const isEnd = signal.aborted || (cause as Error | undefined)?.name === 'AbortError';
      if (!isEnd) log.error(what, { cause });
    }
  };
  const queue = createJobQueue(
    (job, isThreaded) => logged('an update was not dealt with', () => parts.run(job, isThreaded)),
    signal,
  );
  const routes = createRoutes((update) =>
    logged('an update was not understood', () => parts.route(update, queue)),
  );
  const take = async (received: readonly Update[]): Promise<void> => {
    for (const update of await updates.store(received)) routes.add(update);
  };
  const purge = async (): Promise<void> => {
    await updates.purge();
    await messages.purge();
  };
  await logged('Telegram is not listened to any more', async () => {
    parts.onMe(await findOut(api, signal, log));
    await asks.recover();
    await purge();
    using stack = new DisposableStack();
    const daily = setInterval(() => void logged('old updates were not removed', purge), purgeIntervalMs);
    stack.defer(() => clearInterval(daily));
    for (const update of await updates.open()) routes.add(update);
    api.raw.setMyCommands({ commands: commandList }).catch((cause: unknown) => {
      log.warn('Telegram did not take the list of commands', { reason: failureOf(cause).reason });
    });
    if (!webhook) return await poll({ api, take, signal, log });
    await using _listening = await listenForUpdates({ api, config: webhook, take, signal, log });
    await delay(2 ** 31 - 1, undefined, { signal }).catch(() => {});
  });
  await Promise.all([routes.settled(), queue.settled()]);
}

/** Updates of one conversation are routed in their order; none waits for another conversation. */
function createRoutes(route: (update: StoredUpdate) => Promise<void>): {
  add(update: StoredUpdate): void;
  settled(): Promise<unknown>;
} {
  const tails = new Map<string, Promise<void>>();
  return {
    add(update) {
      const { conversation } = update;
      const before = tails.get(conversation) ?? Promise.resolve();
      const tail = before
        .then(() => route(update))
        .finally(() => {
          if (tails.get(conversation) === tail) tails.delete(conversation);
        });
      tails.set(conversation, tail);
    },
    settled: () => Promise.all(tails.values()),
  };
}

async function findOut(api: BotApi, signal: AbortSignal, log: Logger): Promise<UserFromGetMe> {
  for (let wait = 250, attempt = 1; ; wait = Math.min(wait * 2, maxWaitMs), attempt++) {
    signal.throwIfAborted();
    try {
      return await api.polling.getMe(signal as Parameters<typeof api.polling.getMe>[0]);
    } catch (thrown) {
      signal.throwIfAborted();
      const failure = failureOf(thrown);
      const tell = attempt === 1 ? log.error.bind(log) : log.debug.bind(log);
      const unknown = failure.kind === 'refused' && (failure.status === 401 || failure.status === 404);
      tell(
        unknown
          ? 'Telegram does not know this TELEGRAM_BOT_TOKEN: store the one that @BotFather gave'
          : 'Telegram could not be reached; it is tried again',
        { reason: failure.reason },
      );
      await delay(failure.kind === 'busy' ? failure.seconds * 1000 : wait, undefined, { signal });
    }
  }
}
