import type { ReceivedFile } from 'pegboard';
import type { Attachment, Message } from '../wire.ts';

/** What a message contains, of whoever wrote it. */
export interface MessageContent {
  /** Without the mention of the bot with which it begins. */
  readonly text: string;
  readonly isForwarded: boolean;
  readonly attachments: readonly Attachment[];
  /** What isn't text, in words. */
  readonly extra: string | undefined;
}

export function contentOf(message: Message, bot: string): MessageContent {
  const { message_snapshots: snapshots = [], sticker_items: stickers = [], poll } = message;
  const forwarded = snapshots[0]?.message;
  const { content, attachments } = forwarded ?? message;
  const extra = stickers.length > 0 ? '[User sent a sticker]' : poll ? '[User sent a poll]' : undefined;
  return {
    text: shownText(withoutMention(content, bot), message).trim(),
    isForwarded: forwarded !== undefined,
    attachments,
    extra,
  };
}

const withoutMention = (text: string, bot: string): string =>
  text.replace(new RegExp(`^\\s*<@!?${bot}>[,:]?\\s*`), '');

/** With the names of people and emojis, of which Discord gives the ids. */
const shownText = (text: string, { mentions }: Pick<Message, 'mentions'>): string =>
  text
    .replaceAll(/<@!?(\d+)>/g, (all, id) => {
      const user = mentions.find((one) => one.id === id);
      return user ? `@${user.username}` : all;
    })
    .replaceAll(/<a?(:\w+:)\d+>/g, '$1');

/** `flags` of a message that was recorded in Discord, by its sender. */
const voiceMessage = 1 << 13;

/** What is attached. Their ids say where they are found again, because their addresses expire. */
export const filesIn = (
  { id, channel_id: chat, flags = 0 }: Message,
  attachments: readonly Attachment[],
): readonly ReceivedFile[] =>
  attachments.map((one) => ({
    id: `${chat}/${id}/${one.id}`,
    name: one.filename,
    mimeType: one.content_type?.replace(/;.*/s, '') ?? '',
    sizeBytes: one.size,
    isVoice: (flags & voiceMessage) !== 0,
  }));

/** The attachment with the id of a `ReceivedFile`, in its message. */
export const attachmentIn = (
  { attachments, message_snapshots: snapshots = [] }: Message,
  id: string,
): Attachment | undefined =>
  [attachments, ...snapshots.map(({ message }) => message.attachments)].flat().find((one) => one.id === id);
