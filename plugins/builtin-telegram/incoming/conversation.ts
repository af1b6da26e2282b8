import type { Message, Update } from 'grammy/types';

/** Where a message is: a chat, or one topic of a forum. */
export interface ChatAddress {
  readonly chat: number;
  readonly topic?: number;
}

export function addressOf(message: Message): ChatAddress {
  const { chat, message_thread_id: topic, is_topic_message: inTopic } = message;
  return { chat: chat.id, ...(inTopic && topic !== undefined && { topic }) };
}

/** As conversations and channels name it: "12345", and "-1001234:7" for a topic. */
export const nameOf = ({ chat, topic }: ChatAddress): string =>
  topic === undefined ? `${chat}` : `${chat}:${topic}`;

/** Undefined for what is no such name. */
export function addressNamed(name: string): ChatAddress | undefined {
  const [, chat, topic] = /^(-?\d{1,16})(?::(\d{1,16}))?$/.exec(name.trim()) ?? [];
  if (chat === undefined) return undefined;
  return { chat: Number(chat), ...(topic !== undefined && { topic: Number(topic) }) };
}

/** The address of the chat that an update belongs to. `placeOfMessage` returns the topic of a reaction, which Telegram doesn't send. */
export async function conversationOf(
  update: Update,
  placeOfMessage: (chat: number, message: number) => Promise<ChatAddress | undefined>,
): Promise<string> {
  const message = update.message ?? update.edited_message ?? update.callback_query?.message;
  if (message) return nameOf(addressOf(message));
  const { message_reaction: reaction } = update;
  if (!reaction) return '';
  const { chat, message_id: id } = reaction;
  return nameOf((await placeOfMessage(chat.id, id)) ?? { chat: chat.id });
}

/** What is sent there. */
export const toPayload = ({ chat, topic }: ChatAddress): { chat_id: number; message_thread_id?: number } => ({
  chat_id: chat,
  ...(topic !== undefined && { message_thread_id: topic }),
});
