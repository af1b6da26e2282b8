import type {
  APIInteraction,
  GatewayMessageReactionAddDispatchData as Reaction,
} from 'discord-api-types/v10';
import type { ChannelEvent, ReceivedMessage } from 'pegboard';
import { readInteraction } from './interactions.ts';
import { contentOf, personOf, type Message } from './message.ts';

/** What happened, in the form in which it is stored. */
export type GatewayEvent =
  | { readonly t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE'; readonly d: Message }
  | { readonly t: 'MESSAGE_REACTION_ADD'; readonly d: Reaction }
  | { readonly t: 'INTERACTION_CREATE'; readonly d: APIInteraction };

/** `type` of messages that people write; others report what has happened. */
const written: ReadonlySet<number> = new Set([0, 19]);

const hiddenReply = 'Discord hides a reply from me that doesn’t mention me: leave the mention on, or add it.';

/** Parses an event. Undefined for irrelevant ones. `bot`: its own id. */
export function readEvent({ t, d }: GatewayEvent, bot: string): ChannelEvent | undefined {
  switch (t) {
    case 'MESSAGE_CREATE':
      return readMessage(d, bot);
    case 'MESSAGE_UPDATE': {
      // Discord also says so when it has added a preview of a link.
      const message = d.edited_timestamp === null ? undefined : readMessage(d, bot);
      return message && { ...message, isEdited: true };
    }
    case 'MESSAGE_REACTION_ADD':
      return readReaction(d, bot);
    case 'INTERACTION_CREATE':
      return readInteraction(d);
  }
  return undefined;
}

function readMessage(message: Message, bot: string): ReceivedMessage | undefined {
  const { id, type, author, channel_id: chat, guild_id: guild, mentions, webhook_id: webhook } = message;
  if (!written.has(type)) return undefined;
  const answered = answeredIn(message, bot);
  const content = contentOf(message, bot);
  const isEmpty = content.text === '' && content.files.length === 0;
  // Without the privileged intent, Discord hides what doesn't mention the bot.
  const isHidden = isEmpty && answered.repliesToUs === true;
  if (isEmpty && !isHidden) return undefined;
  const isSomebody = !author.bot && webhook === undefined;
  return {
    kind: 'message',
    id,
    address: { chat },
    ...(isSomebody && { from: personOf(author) }),
    isPrivate: guild === undefined,
    isAddressed: answered.repliesToUs === true || mentions.some((user) => user.id === bot),
    ...content,
    ...answered,
    ...(isHidden && { unsupported: hiddenReply }),
  };
}

/** What a message says about the one that it replies to, of whose text the origins are those that are somebody else's. */
function answeredIn(
  { author, message_reference: reference, referenced_message: answered }: Message,
  bot: string,
): Pick<ReceivedMessage, 'replyTo' | 'repliesToUs' | 'quote' | 'untrusted'> {
  const replyTo = reference?.message_id;
  // A forwarded message has a reference too.
  if (replyTo === undefined || !answered) return {};
  const { author: other, content, webhook_id: webhook } = answered;
  const repliesToUs = other.id === bot;
  const isOwn = other.id === author.id && webhook === undefined;
  const who = other.bot || webhook !== undefined ? 'another bot' : `@${other.username}`;
  const untrusted = repliesToUs || isOwn ? [] : [{ kind: 'person', what: who } as const];
  return { replyTo, repliesToUs, quote: content, untrusted };
}

function readReaction(reaction: Reaction, bot: string): ChannelEvent | undefined {
  const { user_id: id, channel_id: chat, message_id: to, guild_id: guild, member, emoji } = reaction;
  const { message_author_id: author } = reaction;
  // In a server people react to each other all the time.
  if (id === bot || (guild !== undefined && author !== bot)) return undefined;
  const from = member?.user ? personOf(member.user) : { id, name: id };
  const emojis = [emoji.id === null ? (emoji.name ?? 'an emoji') : 'a custom emoji'];
  return { kind: 'reaction', address: { chat }, to, emojis, isPrivate: guild === undefined, from };
}
