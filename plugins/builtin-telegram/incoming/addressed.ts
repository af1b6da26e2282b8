import type { Message, MessageEntity, UserFromGetMe } from 'grammy/types';

/** Whether a message is addressed to the bot: always in a private chat, in a group by a mention, a reply or a command. */
export function isAddressed(message: Message, me: Pick<UserFromGetMe, 'id' | 'username'>): boolean {
  if (message.chat.type === 'private') return true;
  const replied = message.reply_to_message;
  // Every message of a topic is a reply to the topic's first message.
  if (replied?.from?.id === me.id && !replied.forum_topic_created) return true;
  return entitiesOf(message).some((entity) => {
    const text = textOf(message).slice(entity.offset, entity.offset + entity.length);
    if (entity.type === 'text_mention') return entity.user.id === me.id;
    if (entity.type === 'mention') return text.toLowerCase() === `@${me.username}`.toLowerCase();
    return entity.type === 'bot_command' && isForUs(text, me.username);
  });
}

/** The text without a leading mention of the bot. */
export function withoutMention(text: string, username: string): string {
  const mention = new RegExp(`^\\s*@${RegExp.escape(username)}\\b[,:]?\\s*`, 'i');
  return text.replace(mention, '');
}

/** "/new@peg_bot now" → "new" and "now". Undefined when it isn't a command, or is for another bot. */
export function commandOf(
  message: Message,
  username: string,
): { readonly name: string; readonly rest: string } | undefined {
  const [written = '', name] = /^\/([a-z0-9_]+(?:-[a-z0-9_]+)*)(?:@\w+)?/i.exec(textOf(message)) ?? [];
  if (name === undefined || message.forward_origin || !isForUs(written, username)) return undefined;
  return { name: name.toLowerCase(), rest: textOf(message).slice(written.length).trim() };
}

const isForUs = (command: string, username: string): boolean => {
  const [, to] = command.split('@');
  return to === undefined || to.toLowerCase() === username.toLowerCase();
};

export const textOf = ({ text, caption }: Message): string => text ?? caption ?? '';
const entitiesOf = ({ entities, caption_entities: others }: Message): readonly MessageEntity[] =>
  entities ?? others ?? [];
