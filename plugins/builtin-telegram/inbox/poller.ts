import { setTimeout as delay } from 'node:timers/promises';
import type { Update } from 'grammy/types';
import type { Logger } from 'pegboard';
import { pollSeconds, type BotApi } from '../bot-api.ts';
import { failureOf } from '../failure.ts';
import { wantedUpdates } from './wanted.ts';

/** Must have the updates on disk when it resolves: only then does Telegram hear that they arrived. */
export type Take = (updates: readonly Update[]) => Promise<void>;

export interface PollerOptions {
  readonly api: BotApi;
  readonly take: Take;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds that only ever grow. */
  readonly now?: () => number;
  /** Resolves after so many milliseconds; rejects when `signal` aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Milliseconds between the beginnings of two attempts; a fault that is over is noticed soon after. */
const firstDelayMs = 250;
const maxWaitMs = 4_000;
/** After a token that Telegram doesn't know: that mends itself only with another token. */
const unknownTokenDelayMs = 30_000;

/** Asks for updates until `signal` aborts, whatever happens meanwhile. */
export async function poll({
  api,
  take,
  signal,
  log,
  now = () => performance.now(),
  wait = (ms, ending) => delay(ms, undefined, { signal: ending }),
}: PollerOptions): Promise<void> {
  /**
   * Confirms all before it. Left out once it was heard: after a week of silence Telegram begins to count elsewhere, and
   * an old offset would confirm what nobody has read.
   */
  let offset: number | undefined;
  let failures = 0;
  while (!signal.aborted) {
    const began = now();
    try {
      const updates = await api.polling.getUpdates(
        {
          timeout: pollSeconds,
          allowed_updates: wantedUpdates,
          ...(offset !== undefined && { offset }),
        },
        signal as Parameters<typeof api.polling.getUpdates>[1],
      );
      if (failures > 0) log.info('Telegram answers again', { after: failures });
      failures = 0;
      await take(updates);
      offset = updates.length > 0 ? updates.at(-1)!.update_id + 1 : undefined;
    } catch (thrown) {
      if (signal.aborted) return;
      failures++;
      await recover(thrown, failures, now() - began).catch(() => {});
    }
  }

  async function recover(thrown: unknown, attempt: number, took: number): Promise<void> {
    const failure = failureOf(thrown);
    const tell = attempt === 1 ? log.warn.bind(log) : log.debug.bind(log);
    tell('Telegram was asked for updates in vain', { reason: failure.reason, attempt });
    // A poll that hung has waited already.
    let pause = Math.max(firstDelayMs, Math.min(firstDelayMs * 2 ** (attempt - 1), maxWaitMs) - took);
    if (failure.kind === 'busy') pause = failure.seconds * 1000;
    if (failure.kind === 'refused') {
      if (failure.status === 401 || failure.status === 404) pause = unknownTokenDelayMs;
      // Somebody set a webhook for this bot, perhaps we did: as long as it is there, nobody may ask.
      if (failure.status === 409 && failure.reason.includes('webhook')) await api.raw.deleteWebhook({});
    }
    await wait(pause, signal);
  }
}
