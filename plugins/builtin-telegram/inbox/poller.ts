import { setTimeout as delay } from 'node:timers/promises';
import type { Update } from 'grammy/types';
import type { ConnectionStatus, Logger } from 'pegboard';
import { pollSeconds, type BotApi } from '../bot-api.ts';
import { failureOf, inWords } from '../failure.ts';
import { allowedUpdates } from './allowed-updates.ts';

/** Must store the updates on disk before it resolves: they are acknowledged to Telegram afterwards. */
export type Take = (updates: readonly Update[]) => Promise<void>;

export interface PollerOptions {
  readonly api: BotApi;
  readonly take: Take;
  readonly signal: AbortSignal;
  readonly status: ConnectionStatus;
  readonly log: Logger;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
  /** Resolves after so many milliseconds; rejects when `signal` aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Milliseconds between the starts of two attempts, at first and at most. Polling resumes soon after an outage. */
const firstDelayMs = 250;
const maxWaitMs = 4_000;
/** Milliseconds between attempts after Telegram rejects the token, which only a new token can fix. */
const unknownTokenDelayMs = 30_000;

/** Polls for updates until `signal` aborts. Survives all failures. */
export async function poll({
  api,
  take,
  signal,
  status,
  log,
  now = () => performance.now(),
  wait = (ms, ending) => delay(ms, undefined, { signal: ending }),
}: PollerOptions): Promise<void> {
  /**
   * Confirms all updates before it. Omitted once Telegram has received it: after a week without updates Telegram may
   * restart its ids elsewhere, and an old offset would confirm unread updates.
   */
  let offset: number | undefined;
  let failures = 0;
  let notStored = 0;
  while (!signal.aborted) {
    const began = now();
    let updates: readonly Update[];
    try {
      updates = await api.polling.getUpdates(
        {
          timeout: pollSeconds,
          allowed_updates: allowedUpdates,
          ...(offset !== undefined && { offset }),
        },
        signal as Parameters<typeof api.polling.getUpdates>[1],
      );
      if (failures > 0) log.info('Telegram answers again', { after: failures });
      failures = 0;
      status.working();
    } catch (thrown) {
      if (signal.aborted) return;
      failures++;
      await recover(thrown, failures, now() - began).catch(() => {});
      continue;
    }
    try {
      await take(updates);
      offset = updates.length > 0 ? updates.at(-1)!.update_id + 1 : undefined;
      notStored = 0;
    } catch (cause) {
      if (signal.aborted) return;
      // They are not confirmed, so Telegram sends them again.
      if (notStored++ === 0) log.error('updates of Telegram could not be stored; trying again', { cause });
      await wait(Math.min(firstDelayMs * 2 ** (notStored - 1), maxWaitMs), signal).catch(() => {});
    }
  }

  async function recover(thrown: unknown, attempt: number, took: number): Promise<void> {
    const failure = failureOf(thrown);
    const report = attempt === 1 ? log.warn.bind(log) : log.debug.bind(log);
    const { message, fix } = inWords(failure);
    // A poll that was cut off is no sign of trouble yet.
    if (failure.kind === 'refused' || attempt > 2) status.failing(message, fix);
    report('polling Telegram for updates failed', { reason: failure.reason, attempt });
    // A poll that hung has waited already.
    let pause = Math.max(firstDelayMs, Math.min(firstDelayMs * 2 ** (attempt - 1), maxWaitMs) - took);
    if (failure.kind === 'busy') pause = failure.seconds * 1000;
    if (failure.kind === 'refused') {
      if (failure.status === 401 || failure.status === 404) pause = unknownTokenDelayMs;
      // A webhook is set, perhaps by us. Telegram refuses polls until it is deleted.
      if (failure.status === 409 && failure.reason.includes('webhook')) await api.raw.deleteWebhook({});
    }
    await wait(pause, signal);
  }
}
