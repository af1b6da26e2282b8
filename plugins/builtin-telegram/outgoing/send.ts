import type { ChatAddress, MessageContent, OutgoingFile, SendOptions, StyledMessage } from 'pegboard';
import type { BotApi } from '../bot-api.ts';
import { isRefusal } from '../failure.ts';
import { toPayload } from '../incoming/address.ts';
import { keyboardOf, markupOf } from './question.ts';

/** Bytes: Telegram's limits for photos and for other files. */
const maxPhotoBytes = 10 * 1024 * 1024;
export const maxFileBytes = 50 * 1024 * 1024;

/** Returns the message's id. Throws ChannelFailure. */
export async function sendMessage(
  api: BotApi,
  to: ChatAddress,
  content: MessageContent,
  options: SendOptions,
): Promise<string> {
  const { replyTo } = options;
  const where = {
    ...toPayload(to),
    ...markupOf(options),
    ...(replyTo !== undefined && {
      reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true },
    }),
  };
  const { message_id: id } =
    content.kind === 'file'
      ? await sendFile(api, where, content)
      : await formatted(content, (text) => api.raw.sendMessage({ ...where, ...text }));
  return String(id);
}

interface Formatted {
  readonly text: string;
  readonly parse_mode?: 'HTML';
  readonly link_preview_options: { readonly is_disabled: true };
}

/** The text of a message, as parameters of the Bot API. */
const toText = ({ text, markup }: StyledMessage): Formatted => ({
  ...(markup === undefined ? { text } : { text: markup, parse_mode: 'HTML' }),
  link_preview_options: { is_disabled: true },
});

/** Sends again without formatting when Telegram can't parse it. */
async function formatted<T>(content: StyledMessage, send: (text: Formatted) => Promise<T>): Promise<T> {
  try {
    return await send(toText(content));
  } catch (thrown) {
    if (!isRefusal(thrown, "can't parse entities")) throw thrown;
    return await send(toText({ text: content.text }));
  }
}

/** False: the user has deleted it, or it is not the bot's. */
export async function editMessage(
  api: BotApi,
  { chat }: ChatAddress,
  id: string,
  content: StyledMessage,
  { buttons }: SendOptions,
): Promise<boolean> {
  const keyboard = keyboardOf(buttons);
  const which = {
    chat_id: Number(chat),
    message_id: Number(id),
    ...(keyboard && { reply_markup: keyboard }),
  };
  try {
    await formatted(content, (text) => api.raw.editMessageText({ ...which, ...text }));
    return true;
  } catch (thrown) {
    if (isRefusal(thrown, 'message is not modified')) return true;
    if (isRefusal(thrown, 'message to edit not found') || isRefusal(thrown, "can't be edited")) return false;
    throw thrown;
  }
}

async function sendFile(
  api: BotApi,
  where: ReturnType<typeof toPayload>,
  { name, mimeType, data }: OutgoingFile,
): Promise<{ readonly message_id: number }> {
  const { InputFile } = await import('grammy');
  const bytes = Buffer.from(data, 'base64');
  const file = (): InstanceType<typeof InputFile> => new InputFile(bytes, name);
  const asDocument = () => api.uploads.sendDocument({ ...where, document: file() });
  const isPhoto = /^image\/(png|jpe?g|webp)$/.test(mimeType) && bytes.length <= maxPhotoBytes;
  const isVoice = mimeType === 'audio/ogg';
  if (!isPhoto && !isVoice) return await asDocument();
  const asMedia = (): Promise<{ readonly message_id: number }> =>
    isVoice
      ? api.uploads.sendVoice({ ...where, voice: file() })
      : api.uploads.sendPhoto({ ...where, photo: file() });
  try {
    return await asMedia();
  } catch (thrown) {
    // Images with extreme proportions, and voice messages to people who take none, are accepted as documents.
    if (!isRefusal(thrown, '')) throw thrown;
    return await asDocument();
  }
}
