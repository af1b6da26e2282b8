import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pegboard';
import type { BotApi } from '../bot-api.ts';
import { failureOf } from '../failure.ts';
import { toPayload, type ChatAddress } from '../incoming/conversation.ts';
import { toChunks } from './chunks.ts';
import { readMarkdown } from './markdown.ts';
import { toHtml } from './styled-text.ts';

export interface DraftOptions {
  readonly api: BotApi;
  readonly place: ChatAddress;
  /** Id of the message of an earlier attempt. */
  readonly message: number | undefined;
  readonly replyTo: () => number | undefined;
  /** Notes on disk that a message is on its way. */
  readonly beforeSending: () => Promise<void>;
  /** The message that was sent and of which no id came back; undefined: none was. */
  readonly find: () => Promise<number | undefined>;
  /** Keeps the id on disk. */
  readonly onMessage: (id: number, replyTo: number | undefined) => Promise<void>;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** A message that shows an answer while it is streamed, by edits. It ends with "…" to mark it as incomplete. */
export interface DraftMessage {
  /** All that was said so far. */
  show(text: string): void;
  /** Resolves when nothing more is on the way; the message's id, if there is one. */
  end(): Promise<number | undefined>;
}

/**
 * Milliseconds between edits. Telegram lets a bot write about once a second to a chat, and 20 times a minute to a
 * group (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
 */
const privateIntervalMs = 1_200;
const groupIntervalMs = 3_200;
/** Until then an answer may be whole: then it is sent as it is, and the notification shows it. */
const firstDelayMs = 900;
/** Maximum number of characters. The rest is sent when the answer is complete. */
const maxDraftLength = 3_900;

export function createDraftMessage(options: DraftOptions): DraftMessage {
  const { api, place, onMessage, signal, log } = options;
  const pace = place.chat > 0 ? privateIntervalMs : groupIntervalMs;
  const ending = new AbortController();
  let { message } = options;
  /** Nobody knows whether the message was sent: another one could be a second. */
  let isLost = false;
  let wanted = '';
  let shown = '';
  /** What stands in the message. */
  let sent: string | undefined;
  let running: Promise<void> | undefined;

  const write = async (text: string): Promise<void> => {
    const [first] = toChunks(readMarkdown(text), maxDraftLength);
    if (!first) return;
    const html = `${toHtml(first)} …`;
    // Once the message is full, what is added to the answer changes nothing in it.
    if (html === sent) return;
    const common = {
      text: html,
      parse_mode: 'HTML' as const,
      link_preview_options: { is_disabled: true },
    };
    if (message !== undefined) {
      await api.raw.editMessageText({ ...common, chat_id: place.chat, message_id: message });
      sent = html;
      return;
    }
    const replyTo = options.replyTo();
    const reply = replyTo !== undefined && {
      reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
    };
    await options.beforeSending();
    try {
      message = (await api.raw.sendMessage({ ...toPayload(place), ...common, ...reply })).message_id;
    } catch (thrown) {
      isLost = failureOf(thrown).kind === 'unknown';
      throw thrown;
    }
    sent = html;
    await onMessage(message, replyTo);
  };

  const run = async (): Promise<void> => {
    const pause = async (ms: number): Promise<void> => {
      const either = AbortSignal.any([ending.signal, signal]);
      await delay(ms, undefined, { signal: either }).catch(() => {});
    };
    await pause(firstDelayMs);
    for (; !ending.signal.aborted && !signal.aborted && shown !== wanted;) {
      const text = wanted;
      let wait = pace;
      try {
        await write(text);
      } catch (thrown) {
        const failure = failureOf(thrown);
        if (failure.kind === 'busy') wait = Math.max(pace, failure.seconds * 1000);
        log.debug('a draft was not shown', { reason: failure.reason });
      }
      if (isLost) break;
      shown = text;
      await pause(wait);
    }
    running = undefined;
  };

  return {
    show(text) {
      wanted = text;
      if (isLost || ending.signal.aborted || text.trim() === '' || text === shown) return;
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
