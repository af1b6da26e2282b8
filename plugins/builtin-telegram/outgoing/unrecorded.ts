import type { BotApi } from '../bot-api.ts';
import { perform } from '../perform.ts';
import type { Messages } from './messages.ts';
import { isRefusal } from './send-part.ts';

export interface UnrecordedOptions {
  readonly api: BotApi;
  readonly messages: Pick<Messages, 'isKnown'>;
  readonly chat: number;
  /** The last id that was known before it was sent. */
  readonly after: number;
  /** What it becomes. */
  readonly content: { readonly text: string; readonly parse_mode?: 'HTML'; readonly reply_markup?: object };
  readonly signal: AbortSignal;
}

/** Ids that are looked at: other chats share the count of private ones. */
const maxDistance = 32;

/**
 * A message of ours of which nobody knows the id, because the process ended, or the connection broke, before Telegram
 * said it. Bots can't look for messages, but they can edit only their own: so each id that could be it, and that is none
 * of a message that is known, is edited until one can be. Undefined: it was not sent.
 */
export async function findUnrecorded({
  api,
  messages,
  chat,
  after,
  content,
  signal,
}: UnrecordedOptions): Promise<number | undefined> {
  for (let id = after + 1; id <= after + maxDistance; id++) {
    if (await messages.isKnown(chat, id)) continue;
    const payload = { ...content, chat_id: chat, message_id: id } as Parameters<
      typeof api.raw.editMessageText
    >[0];
    try {
      await perform(() => api.raw.editMessageText(payload), { signal, repeatable: true });
      return id;
    } catch (thrown) {
      if (isRefusal(thrown, 'message is not modified')) return id;
      if (!isRefusal(thrown, '')) throw thrown;
    }
  }
  return undefined;
}
