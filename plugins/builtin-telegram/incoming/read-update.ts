import type {
  CallbackQuery,
  ChatMemberUpdated,
  Message,
  MessageReactionUpdated,
  Update,
  UserFromGetMe,
} from 'grammy/types';
import {
  toJson,
  type ButtonPress,
  type ChatChange,
  type ChannelEvent,
  type ReceivedMessage,
  type ReceivedReaction,
} from 'pegboard';
import { addressOf, isSupergroup } from './address.ts';
import { commandOf, isAddressed, textOf, withoutMention } from './addressed.ts';
import { filesOf } from './files.ts';
import { personOf } from './names.ts';
import { isTyped, originsOf, repliesTo } from './origins.ts';
import { describe } from './other-kinds.ts';
import { entitiesText, quoteOf } from './quote.ts';

/** The bot itself. */
export type Me = Pick<UserFromGetMe, 'id' | 'username'>;

/** Parses an update. Undefined for irrelevant updates, such as somebody joining a group. */
export function readUpdate(body: unknown, me: Me): ChannelEvent | undefined {
  const {
    message,
    edited_message: edited,
    callback_query: query,
    message_reaction: reaction,
    my_chat_member: member,
  } = body as Update;
  const move = message && readMove(message);
  if (move) return move;
  if (message) return hasContent(message) ? readMessage(message, me) : undefined;
  if (edited) return { ...readMessage(edited, me), isEdited: true };
  if (query) return readPress(query);
  if (member) return readMember(member);
  return reaction ? readReaction(reaction) : undefined;
}

/**
 * A group has become a supergroup, which has an id of its own. Telegram alone writes such a message, whoever of the group
 * has caused it; the people in it are the same, and who may talk to the bot depends on them.
 */
function readMove({
  chat,
  migrate_to_chat_id: to,
  migrate_from_chat_id: from,
}: Message): ChatChange | undefined {
  const [old, now] = to === undefined ? [from, chat.id] : [chat.id, to];
  // Never the chat of one person, who may be the owner.
  if (old === undefined || old >= 0 || isSupergroup(old) || !isSupergroup(now)) return undefined;
  return { kind: 'chat', address: { chat: String(old) }, isPrivate: false, movedTo: String(now) };
}

/** Somebody has blocked the bot or let it in again, in a private chat or a group. */
function readMember({ chat, new_chat_member: now }: ChatMemberUpdated): ChatChange | undefined {
  if (now.status === 'left' || now.status === 'kicked') return undefined;
  return { kind: 'chat', address: { chat: String(chat.id) }, isPrivate: chat.type === 'private' };
}

const hasContent = (message: Message): boolean =>
  Boolean(textOf(message) || describe(message) || filesOf(message).length > 0);

function readMessage(message: Message, me: Me): ReceivedMessage {
  const { from, chat, message_id: id, media_group_id: album } = message;
  const written = withoutMention(entitiesText(textOf(message), message), me.username);
  const isSomebody = from && !from.is_bot && !message.sender_chat;
  const optional = {
    from: isSomebody ? personOf(from) : undefined,
    command: commandOf(message, me.username),
    answer: isTyped(message) ? message.text : undefined,
    quote: quoteOf(message),
    album,
  };
  return {
    kind: 'message',
    id: String(id),
    address: addressOf(message),
    isPrivate: chat.type === 'private',
    isAddressed: isAddressed(message, me),
    isForwarded: message.forward_origin !== undefined,
    text: [written, describe(message) ?? ''].filter((part) => part !== '').join('\n'),
    untrusted: originsOf(message, me.id),
    files: filesOf(message),
    ...repliesTo(message, me.id),
    ...defined(optional),
  };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };
const defined = <T extends object>(all: T): Defined<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Defined<T>;

function readPress({ id, data = '', from, message }: CallbackQuery): ButtonPress {
  return {
    kind: 'press',
    id,
    data,
    from: personOf(from),
    // Telegram leaves out old messages. No question was asked in a chat with an empty name.
    address: message ? addressOf(message) : { chat: '' },
    isPrivate: message?.chat.type === 'private',
    ...(message && { message: String(message.message_id) }),
  };
}

function readReaction({
  chat,
  user,
  message_id: id,
  new_reaction: now,
  old_reaction: before,
}: MessageReactionUpdated): ReceivedReaction {
  const emojis = now
    .filter((one) => !before.some((old) => toJson(old) === toJson(one)))
    .map((one) => (one.type === 'emoji' ? one.emoji : 'a custom emoji'));
  return {
    kind: 'reaction',
    address: { chat: String(chat.id) },
    to: String(id),
    emojis,
    isPrivate: chat.type === 'private',
    ...(user && { from: personOf(user) }),
  };
}
