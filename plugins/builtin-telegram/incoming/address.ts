import type { Message } from 'grammy/types';
import type { ChatAddress } from 'pegboard';

/** Ids of supergroups begin with -100. */
export const isSupergroup = (chat: string | number): boolean => Number(chat) < -1_000_000_000_000;

/** A chat, or one topic of a forum. */
export function addressOf(message: Message): ChatAddress {
  const { chat, message_thread_id: topic, is_topic_message: inTopic } = message;
  return { chat: String(chat.id), ...(inTopic && topic !== undefined && { topic: String(topic) }) };
}

/** The parameters that address it in the Bot API. */
export const toPayload = ({ chat, topic }: ChatAddress): { chat_id: number; message_thread_id?: number } => ({
  chat_id: Number(chat),
  ...(topic !== undefined && { message_thread_id: Number(topic) }),
});
