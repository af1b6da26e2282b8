import type {
  APIButtonComponentWithCustomId as Labelled,
  APIUser,
  GatewayMessageCreateDispatchData as Message,
} from 'discord-api-types/v10';
import type { Person, ReceivedMessage } from 'pegboard';

export type { Message };

/** "Anna (@anna)" */
export const personOf = ({ id, username, global_name: name }: APIUser): Person => ({
  id,
  name: name ? `${name} (@${username})` : `@${username}`,
});

/** `flags` of a message that was recorded in Discord, by its sender. */
const voiceMessage = 1 << 13;

const forwardedIn = ({ message_snapshots: snapshots = [] }: Message) => snapshots[0]?.message;

type Content = Pick<ReceivedMessage, 'text' | 'answer' | 'isForwarded'> &
  Required<Pick<ReceivedMessage, 'files'>>;

/** What a message contains, of whoever wrote it. Its text is without the mention of the bot with which it begins. */
export function contentOf(message: Message, bot: string): Content {
  const { id, channel_id: chat, flags, sticker_items: stickers = [], poll, mentions } = message;
  const forwarded = forwardedIn(message);
  const { content, attachments } = forwarded ?? message;
  // With the names of people and emojis, of which Discord gives the ids.
  const written = content
    .replace(new RegExp(`^\\s*<@!?${bot}>[,:]?\\s*`), '')
    .replaceAll(/<@!?(\d+)>/g, (all, who) => {
      const user = mentions.find((one) => one.id === who);
      return user ? `@${user.username}` : all;
    })
    .replaceAll(/<a?(:\w+:)\d+>/g, '$1')
    .trim();
  const files = attachments.map((one) => ({
    // Says where it is found again, because its address expires.
    id: `${chat}/${id}/${one.id}`,
    name: one.filename,
    mimeType: one.content_type?.replace(/;.*/s, '') ?? '',
    sizeBytes: one.size,
    isVoice: ((flags ?? 0) & voiceMessage) !== 0,
  }));
  const extra = stickers.length > 0 ? '[User sent a sticker]' : poll ? '[User sent a poll]' : '';
  const text = [written, extra].filter((part) => part !== '').join('\n');
  const isTyped = !forwarded && files.length === 0 && extra === '';
  return { text, ...(isTyped && { answer: text }), isForwarded: forwarded !== undefined, files };
}

/** The address of the attachment with this id. Undefined: it is not in the message any more. */
export const attachmentUrl = (message: Message, id: string | undefined): string | undefined =>
  (forwardedIn(message) ?? message).attachments.find((one) => one.id === id)?.url;

/** The labels of a message's buttons, by `Button.data`. */
export function buttonsOf({
  components: rows = [],
}: Pick<Message, 'components'>): ReadonlyMap<string, string> {
  const all = rows.flatMap((row) => ('components' in row ? (row.components as Partial<Labelled>[]) : []));
  return new Map(all.flatMap(({ custom_id: id, label = '' }) => (id === undefined ? [] : [[id, label]])));
}
