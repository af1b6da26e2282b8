import type { Message } from 'grammy/types';
import type { Origin, ReceivedMessage } from 'pegboard';
import { fileOf, maxDownloadBytes } from './files.ts';
import { shownName } from './names.ts';

/** Fields typed by the sender or without content. Any other field may contain text by somebody else. */
const typed: ReadonlySet<string> = new Set<keyof Message>([
  'message_id',
  'message_thread_id',
  'is_topic_message',
  'from',
  'chat',
  'date',
  'edit_date',
  'text',
  'entities',
  'caption',
  'caption_entities',
  'show_caption_above_media',
  'link_preview_options',
  'media_group_id',
  'has_media_spoiler',
  'has_protected_content',
  'is_from_offline',
  'effect_id',
  'sender_boost_count',
  'paid_star_count',
  'dice',
  'location',
  'sticker',
  'voice',
]);
/** Fields that refer to the message being answered. */
const answering: ReadonlySet<string> = new Set<keyof Message>([
  'reply_to_message',
  'quote',
  'external_reply',
]);

/** Origins of content in a message that neither its sender nor the bot wrote. `bot`: the bot's id. */
export const originsOf = (message: Message, bot: number): readonly Origin[] => [
  ...enclosedIn(message),
  ...originsOfAnswered(message, bot),
];

/** Whether the sender typed the whole message. */
export const isTyped = (message: Message): boolean => enclosedIn(message).length === 0;

function enclosedIn(message: Message): readonly Origin[] {
  const file = fileOf(message);
  // A file that is too large is never fetched, so its content isn't read.
  const isRead = file && file.sizeBytes <= maxDownloadBytes;
  const origins: Origin[] = isRead ? [{ kind: 'file', what: file.name }] : [];
  for (const key of Object.keys(message)) {
    if (typed.has(key) || answering.has(key) || (file && (key === 'photo' || key === 'document'))) continue;
    const what =
      key === 'forward_origin'
        ? 'the author of a forwarded message'
        : `the sender of a ${key.replaceAll('_', ' ')}`;
    origins.push({ kind: 'person', what });
  }
  return origins;
}

/** The origins of the message that is answered or quoted. */
function originsOfAnswered(message: Message, bot: number): readonly Origin[] {
  const { from, reply_to_message: answered } = message;
  if (isFromElsewhere(message)) return [{ kind: 'person', what: 'another chat' }];
  // Every message of a topic is a reply to the topic's first message.
  if (!answered || answered.forum_topic_created) return [];
  return answered.from?.id === bot ? [] : originsFor(from?.id, answered);
}

/** The origins of another message for whoever reads it: none if they typed it themselves. `reader`: their id. */
export function originsFor(reader: number | undefined, message: Message): readonly Origin[] {
  const author = message.from;
  const isOwn = author !== undefined && author.id === reader && !message.sender_chat && !author.is_bot;
  if (isOwn) return enclosedIn(message);
  return [{ kind: 'person', what: author && !author.is_bot ? shownName(author) : 'another bot or channel' }];
}

const isFromElsewhere = ({
  reply_to_message: answered,
  quote,
  external_reply: elsewhere,
}: Message): boolean => elsewhere !== undefined || (quote !== undefined && !answered);

/** The message that it answers, in this chat. */
export function repliesTo(message: Message, bot: number): Pick<ReceivedMessage, 'replyTo' | 'repliesToUs'> {
  const { reply_to_message: answered } = message;
  if (!answered || answered.forum_topic_created) return {};
  const repliesToUs = answered.from?.id === bot && !isFromElsewhere(message);
  return { replyTo: String(answered.message_id), repliesToUs };
}
