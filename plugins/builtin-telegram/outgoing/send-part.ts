import { toPayload, type ChatAddress } from '../incoming/conversation.ts';
import type { BotApi } from '../bot-api.ts';
import { perform, TelegramFailure } from '../perform.ts';
import type { OutgoingPart } from './parts.ts';

export interface SendOptions {
  readonly api: BotApi;
  readonly place: ChatAddress;
  readonly signal: AbortSignal;
  /** Under the message. */
  readonly keyboard?: Buttons;
  /** Awaited before what must not be done twice. */
  readonly beforeSending?: () => Promise<void>;
}
export interface Buttons {
  readonly inline_keyboard: { text: string; callback_data: string }[][];
}

/**
 * Does it, however long Telegram makes us wait. Returns the id of the message that there is now. Throws TelegramFailure
 * when Telegram refuses, or nobody can say whether it arrived.
 */
export async function sendPart(part: OutgoingPart, options: SendOptions): Promise<number | undefined> {
  switch (part.kind) {
    case 'text':
      return await sendText(part, options);
    case 'photo':
    case 'document':
      return await sendFile(part, options);
    case 'react':
      return await quietly(() => react(part, options));
    case 'delete':
      return await quietly(() => remove(part.message, options));
  }
}

type TextPart = Extract<OutgoingPart, { kind: 'text' }>;

async function sendText(part: TextPart, options: SendOptions): Promise<number> {
  try {
    return await sendFormatted(part, { text: part.html, parse_mode: 'HTML' }, options);
  } catch (thrown) {
    if (!isRefusal(thrown, "can't parse entities")) throw thrown;
    return await sendFormatted(part, { text: part.plain }, options);
  }
}

interface Formatted {
  readonly text: string;
  readonly parse_mode?: 'HTML';
}

async function sendFormatted(part: TextPart, formatted: Formatted, options: SendOptions): Promise<number> {
  const { api, place, signal, keyboard } = options;
  const common = { ...formatted, link_preview_options: { is_disabled: true } };
  const markup = keyboard && { reply_markup: keyboard };
  const { edits } = part;
  if (edits !== undefined) {
    try {
      const payload = { ...common, ...markup, chat_id: place.chat, message_id: edits };
      await perform(() => api.raw.editMessageText(payload), { signal, repeatable: true });
      return edits;
    } catch (thrown) {
      if (isRefusal(thrown, 'message is not modified')) return edits;
      // The user has deleted it.
      if (!isRefusal(thrown, 'message to edit not found') && !isRefusal(thrown, "can't be edited"))
        throw thrown;
    }
  }
  const payload = { ...toPayload(place), ...common, ...markup, ...replyTo(part) };
  await options.beforeSending?.();
  return (await perform(() => api.raw.sendMessage(payload), { signal })).message_id;
}

async function sendFile(
  part: Extract<OutgoingPart, { kind: 'photo' | 'document' }>,
  { api, place, signal, keyboard, beforeSending }: SendOptions,
): Promise<number> {
  const { InputFile } = await import('grammy');
  const file = () => new InputFile(Buffer.from(part.data, 'base64'), part.name);
  const common = { ...toPayload(place), ...replyTo(part), ...(keyboard && { reply_markup: keyboard }) };
  const asDocument = async (): Promise<{ message_id: number }> =>
    await api.uploads.sendDocument({ ...common, document: file() });
  const asPhoto = async (): Promise<{ message_id: number }> =>
    await api.uploads.sendPhoto({ ...common, photo: file() });
  await beforeSending?.();
  try {
    const sent = await perform(part.kind === 'photo' ? asPhoto : asDocument, { signal });
    return sent.message_id;
  } catch (thrown) {
    // Pictures of odd shapes are refused as photos only.
    if (part.kind !== 'photo' || !isRefusal(thrown, '')) throw thrown;
    return (await perform(asDocument, { signal })).message_id;
  }
}

async function react(
  { message, emoji }: Extract<OutgoingPart, { kind: 'react' }>,
  { api, place, signal }: SendOptions,
): Promise<void> {
  const payload = {
    chat_id: place.chat,
    message_id: message,
    reaction: [{ type: 'emoji' as const, emoji }],
  };
  await perform(() => api.raw.setMessageReaction(payload), { signal, repeatable: true });
}

async function remove(message: number, { api, place, signal }: SendOptions): Promise<void> {
  const payload = { chat_id: place.chat, message_id: message };
  await perform(() => api.raw.deleteMessage(payload), { signal, repeatable: true });
}

/** A reaction that a group doesn't allow, or a message that is gone: the answer goes on. */
async function quietly(work: () => Promise<void>): Promise<undefined> {
  try {
    await work();
  } catch (thrown) {
    if (!isRefusal(thrown, '')) throw thrown;
  }
}

const replyTo = ({ replyTo: message }: { readonly replyTo?: number }) =>
  message === undefined
    ? {}
    : { reply_parameters: { message_id: message, allow_sending_without_reply: true } };

export const isRefusal = (thrown: unknown, words: string): boolean =>
  thrown instanceof TelegramFailure &&
  thrown.failure.kind === 'refused' &&
  thrown.failure.reason.includes(words);
