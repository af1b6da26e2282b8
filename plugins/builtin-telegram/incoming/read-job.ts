import type { Message, MessageReactionUpdated } from 'grammy/types';
import { toJson, type History, type Origin } from 'pegboard';
import { originsOfSaid } from './origins.ts';
import { entitiesText, quoteOf } from './quote.ts';
import type { ReceivedContent } from './files.ts';
import { textOf, withoutMention } from '../access/addressed.ts';
import { shownName } from '../access/pairing.ts';
import type { Messages } from '../outgoing/messages.ts';
import { describe } from './other-kinds.ts';

/** The model's text for one message, and the message that it answers. */
export function readMessage(
  message: Message,
  { notes }: Pick<ReceivedContent, 'notes'>,
  username: string,
): { readonly text: string; readonly replyTo?: string } {
  const said = withoutMention(entitiesText(textOf(message), message), username);
  const edited = message.edit_date === undefined ? '' : '[User edited an earlier message. It says now:]';
  const forwarded = message.forward_origin ? '[User forwarded this; somebody else wrote it:]' : '';
  const text = [edited, forwarded, said, describe(message) ?? '', ...notes]
    .filter((part) => part !== '')
    .join('\n');
  const isGroup = message.chat.type !== 'private';
  const quote = quoteOf(message);
  return {
    text: isGroup && message.from ? `${shownName(message.from)}: ${text}` : text,
    ...(quote !== undefined && { replyTo: quote }),
  };
}

/** Characters of a message that was reacted to. */
const maxReactedLength = 300;

/** "[User reacted with 👍 to your message: "…"]". Undefined for a removed reaction or one without a name. */
export async function readReaction(
  { chat, message_id: id, new_reaction: now, old_reaction: before }: MessageReactionUpdated,
  conversation: string,
  { messages, history }: { readonly messages: Messages; readonly history: Pick<History, 'find'> },
): Promise<{ readonly text: string; readonly untrusted: readonly Origin[] } | undefined> {
  const emojis = now
    .filter((one) => !before.some((old) => toJson(old) === toJson(one)))
    .map((one) => (one.type === 'emoji' ? one.emoji : 'a custom emoji'));
  if (emojis.length === 0) return undefined;
  const found = (await messages.find(chat.id, id)) ?? (await findSaid());
  // In a group people react to each other all the time.
  if (chat.type !== 'private' && found?.own !== true) return undefined;
  const whose = found === undefined ? 'an earlier' : found.own ? 'your' : 'their own';
  return {
    text: `[User reacted with ${emojis.join(' ')} to ${whose} message: "${found?.text ?? ''}"]`,
    untrusted: found ? await originsOfSaid(id, { conversation, history }) : [],
  };

  /** Long ago: only the history knows. */
  async function findSaid(): Promise<{ readonly own: boolean; readonly text: string } | undefined> {
    const said = await history.find({ source: 'telegram', externalId: conversation }, String(id));
    return said && { own: said.role === 'assistant', text: said.text.slice(0, maxReactedLength) };
  }
}
