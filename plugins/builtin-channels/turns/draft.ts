import type { ChannelDriver, ChatAddress, Clock, Logger, StyledMessage } from 'pegboard';
import { failureOf } from '../failure.ts';
import { rendered, unfinishedMark, type Renders } from '../outgoing/parts.ts';

export interface DraftOptions {
  readonly driver: Renders & Pick<ChannelDriver, 'send' | 'edit' | 'remove' | 'draftIntervalMs'>;
  readonly address: ChatAddress;
  readonly isPrivate: boolean;
  /** Id of the message of an earlier attempt. */
  readonly message: string | undefined;
  readonly replyTo: () => Promise<string | undefined>;
  /** Records on disk that a message is about to be sent. */
  readonly beforeSending: () => Promise<void>;
  /** Finds a message whose id is unknown because sending it was interrupted; undefined if none was sent. */
  readonly find: () => Promise<string | undefined>;
  /** Stores the id on disk. */
  readonly onMessage: (id: string, replyTo: string | undefined) => Promise<void>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
}

/** A message that is edited to show an answer while it is streamed. It ends with "…" to mark it as incomplete. */
export interface DraftMessage {
  /** `text`: the whole answer so far. */
  show(text: string): void;
  /** Waits for the last edit and resolves with the message's id, if there is one. */
  end(): Promise<string | undefined>;
}

/** Milliseconds between edits, unless the driver sets its own interval. */
const defaultIntervalMs = 1_200;
/** A short answer may be complete by then: it is sent at once, so that the notification shows all of it. */
const firstDelayMs = 900;

export function createDraftMessage(options: DraftOptions): DraftMessage {
  const { driver, address, isPrivate, onMessage, signal, log, clock } = options;
  const canShow = driver.edit !== undefined && driver.remove !== undefined;
  const pace = driver.draftIntervalMs?.(address, isPrivate) ?? defaultIntervalMs;
  const ending = new AbortController();
  let { message } = options;
  /** It is unknown whether the message was sent: sending again could duplicate it. */
  let isLost = false;
  let latest = '';
  let shown = '';
  /** The message's current text. */
  let sent: StyledMessage | undefined;
  let running: Promise<void> | undefined;

  const write = async (text: string): Promise<void> => {
    // The rest is sent when the answer is complete.
    const [first] = rendered(text, driver);
    if (!first) return;
    const next = unfinished(first);
    // Once the message is full, additions to the answer don't change it.
    if (next.text === sent?.text && next.markup === sent.markup) return;
    if (message !== undefined) {
      await driver.edit!(address, message, next, {}, signal);
      sent = next;
      return;
    }
    const replyTo = await options.replyTo();
    await options.beforeSending();
    try {
      const reply = replyTo === undefined ? {} : { replyTo };
      message = await driver.send(address, { kind: 'text', ...next }, reply, signal);
    } catch (thrown) {
      isLost = failureOf(thrown).kind === 'unknown';
      throw thrown;
    }
    sent = next;
    await onMessage(message, replyTo);
  };

  const run = async (): Promise<void> => {
    const pause = async (ms: number): Promise<void> => {
      const either = AbortSignal.any([ending.signal, signal]);
      await clock.sleep(ms, either);
    };
    await pause(firstDelayMs);
    for (; !ending.signal.aborted && !signal.aborted && shown !== latest;) {
      const text = latest;
      let wait = pace;
      try {
        await write(text);
      } catch (thrown) {
        const failure = failureOf(thrown);
        if (failure.kind === 'busy') wait = Math.max(pace, failure.seconds! * 1000);
        log.debug('a draft was not shown', { reason: failure.message });
      }
      if (isLost) break;
      shown = text;
      await pause(wait);
    }
    running = undefined;
  };

  return {
    show(text) {
      latest = text;
      if (!canShow || isLost || ending.signal.aborted || text.trim() === '' || text === shown) return;
      running ??= run();
    },
    async end() {
      ending.abort();
      await running;
      if (isLost && !signal.aborted) message = await options.find();
      return message;
    },
  };
}

const unfinished = ({ text, markup }: StyledMessage): StyledMessage => ({
  text: `${text}${unfinishedMark}`,
  ...(markup !== undefined && { markup: `${markup}${unfinishedMark}` }),
});
