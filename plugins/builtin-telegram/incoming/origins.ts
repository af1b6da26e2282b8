import type { Message } from 'grammy/types';
import type { History, Origin } from 'pegboard';
import { shownName } from '../access/pairing.ts';
import { maxDownloadBytes, fileOf } from './files.ts';

/** What the sender of a message typed, or what says nothing: whatever else a message holds may be somebody else's. */
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
]);
/** Of what a message answers. */
const answering: ReadonlySet<string> = new Set<keyof Message>([
  'reply_to_message',
  'quote',
  'external_reply',
]);

export interface OriginServices {
  /** The bot's own id. */
  readonly bot: number;
  /** As the history calls the chat. */
  readonly conversation: string;
  readonly history: Pick<History, 'find'>;
}

/** Who wrote what came with a message, where that was not its sender. */
export async function originsOf(message: Message, services: OriginServices): Promise<readonly Origin[]> {
  return [...enclosedIn(message), ...(await originsOfAnswered(message, services))];
}

/** Did the sender type the whole message? */
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
        ? 'whoever wrote what was forwarded'
        : `the sender of a ${key.replaceAll('_', ' ')}`;
    origins.push({ kind: 'person', what });
  }
  return origins;
}

/** The origins of the message that is answered or quoted. */
async function originsOfAnswered(
  { from, reply_to_message: answered, quote, external_reply: elsewhere }: Message,
  services: OriginServices,
): Promise<readonly Origin[]> {
  if (elsewhere || (quote && !answered)) return [{ kind: 'person', what: 'another chat' }];
  // Every message of a topic replies to the one that began it.
  if (!answered || answered.forum_topic_created) return [];
  const author = answered.from;
  if (author?.id === services.bot) return await originsOfSaid(answered.message_id, services);
  const isOwn = author !== undefined && author.id === from?.id && !answered.sender_chat && !author.is_bot;
  if (isOwn) return enclosedIn(answered);
  return [{ kind: 'person', what: author && !author.is_bot ? shownName(author) : 'another bot or channel' }];
}

/** What the bot itself once said may be made of others' words; what isn't in the history is not known. */
export async function originsOfSaid(
  id: number,
  { conversation, history }: Pick<OriginServices, 'conversation' | 'history'>,
): Promise<readonly Origin[]> {
  const said = await history.find({ source: 'telegram', externalId: conversation }, String(id));
  return said?.untrusted ?? [{ kind: 'person', what: 'whoever wrote an earlier message' }];
}
