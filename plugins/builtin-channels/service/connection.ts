import {
  type AccountInfo,
  type ChannelDriver,
  type Check,
  type Clock,
  type ConnectionStatus,
  type Logger,
  pegboard,
  type PluginContext,
} from 'pegboard';
import type { Allowed } from '../access/allowed.ts';
import { ChannelFailure, failureOf } from '../failure.ts';
import type { ChannelSettings } from '../settings.ts';
import { troubleOf, type ChannelAccount } from './account.ts';

/** How the connection of a channel is: the owner sees it in `start` and on the page. */
export interface Connection {
  readonly status: ConnectionStatus;
  /** Resolves when the service answers, however long that takes. Rejects with the reason of `signal`. */
  connect(signal: AbortSignal): Promise<void>;
  /** Reports why nothing is received any more, and returns the milliseconds until the next attempt. */
  lost(thrown: unknown, tookMs: number): number;
  /** Calls `listener` when the service answers again after a failure. */
  onRecovery(listener: () => void): void;
}

export interface ConnectionOptions {
  /** "telegram" */
  readonly name: string;
  /** "Telegram" */
  readonly title: string;
  readonly driver: Pick<ChannelDriver, 'connect'>;
  readonly account: ChannelAccount | undefined;
  readonly report: PluginContext['report'];
  readonly settings: Pick<ChannelSettings, 'allow'>;
  readonly allowed: Pick<Allowed, 'owner'>;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Milliseconds between two attempts, at first and at most. */
const firstPauseMs = 250;
const maxPauseMs = 4_000;
/** A connection that broke once or twice is no sign of trouble yet. */
const maxUnreported = 2;

/**
 * Milliseconds until the next attempt, after so many failures without a success in between. An attempt that took long has
 * waited already.
 */
export function pauseAfter(thrown: unknown, { failures, tookMs }: Attempts): number {
  const { seconds } = failureOf(thrown);
  if (seconds !== undefined) return seconds * 1000;
  return Math.max(firstPauseMs, Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs) - tookMs);
}

interface Attempts {
  readonly failures: number;
  /** Of the last one. */
  readonly tookMs: number;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { name, title, driver, account, report, settings, allowed, log, clock } = options;
  let isWorking = false;
  let failures = 0;
  let contact: string | undefined;
  const listeners: (() => void)[] = [];
  const describe = async (): Promise<void> => {
    const where = contact === undefined ? 'connected' : `${contact}, write to it`;
    if (settings.allow === 'everyone' || (await allowed.owner()) !== undefined)
      return report({ name: title, status: 'ok', message: where });
    report({
      name: title,
      status: 'warning',
      message: `${where}; nobody is paired yet, so it answers with a code`,
      fix: `${pegboard} ${name} pair CODE`,
    });
  };
  const status: ConnectionStatus = {
    get failures() {
      return failures;
    },
    working() {
      if (failures > 0) {
        log.info(`${title} answers again`, { after: failures });
        for (const listener of listeners) listener();
      }
      failures = 0;
      if (isWorking) return;
      isWorking = true;
      describe().catch((cause: unknown) =>
        log.error('the list of people who may write could not be read', { cause }),
      );
    },
    failing(message, fix) {
      isWorking = false;
      report({ name: title, status: 'failed', message, ...(fix !== undefined && { fix }) });
    },
  };
  /** Of a series of failures, only the first is more than a detail. */
  const note = (thrown: unknown): void => {
    const isService = thrown instanceof ChannelFailure;
    const level = failures > 1 || failureOf(thrown).kind === 'busy' ? 'debug' : isService ? 'warn' : 'error';
    const why = isService ? { reason: thrown.message } : { cause: thrown };
    log[level](`receiving from ${title} has stopped; trying again`, why);
  };
  const say = (thrown: unknown): void => {
    const { message, fix } = troubleOf(failureOf(thrown), account);
    status.failing(message, fix);
  };
  return {
    status,
    onRecovery: (listener) => void listeners.push(listener),
    async connect(signal) {
      for (;;) {
        signal.throwIfAborted();
        const began = clock.monotonic();
        try {
          ({ contact } = (await driver.connect?.(signal)) ?? {});
          return status.working();
        } catch (thrown) {
          signal.throwIfAborted();
          failures++;
          note(thrown);
          say(thrown);
          const tookMs = clock.monotonic() - began;
          await clock.sleep(pauseAfter(thrown, { failures, tookMs }), signal);
        }
      }
    },
    lost(thrown, tookMs) {
      failures++;
      note(thrown);
      const isTrouble = failureOf(thrown).kind === 'refused' || failures > maxUnreported;
      if (isTrouble && thrown instanceof ChannelFailure) say(thrown);
      return pauseAfter(thrown, { failures, tookMs });
    },
  };
}

/** Milliseconds within which a service has to answer a check. */
const checkTimeoutMs = 10_000;

/** Asks the service which account the token belongs to. */
export async function checkAccount(
  driver: Pick<ChannelDriver, 'connect'>,
  { title, account }: { readonly title: string; readonly account: ChannelAccount },
): Promise<Check> {
  try {
    const info: AccountInfo = (await driver.connect?.(AbortSignal.timeout(checkTimeoutMs))) ?? {};
    const { contact = 'an account', hint } = info;
    const message = `knows the token: it belongs to ${contact}${hint === undefined ? '' : ` (${hint})`}`;
    return { name: title, status: 'ok', message };
  } catch (thrown) {
    return { name: title, status: 'failed', ...troubleOf(failureOf(thrown), account) };
  }
}
