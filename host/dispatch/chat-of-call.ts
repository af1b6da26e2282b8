import type { Chat } from '../api/channels/channel.ts';
import type { ConversationKey } from '../api/conversation.ts';
import type { ToolCall } from '../api/tool.ts';

/** The terminal's channel, whichever conversation it is about: the prompt shows what is sent there. */
export const terminalChat: Chat = { channel: 'terminal', chat: 'cli' };

/** The conversation of a chat: the inverse of `chatOfCall`. */
export const conversationOfChat = ({ channel, chat }: Chat): ConversationKey =>
  channel === terminalChat.channel
    ? { source: 'cli', externalId: chat }
    : { source: channel, externalId: chat };

/** Sources of conversations without a channel. */
const internal = new Set(['agent', 'schedule', 'watcher']);

/** The chat to notify about background work of a call; undefined when it has none. */
export function chatOfCall({ caller, turn }: Pick<ToolCall, 'caller' | 'turn'>): Chat | undefined {
  if (!turn) return caller === 'cli' ? terminalChat : undefined;
  const { source, externalId, context } = turn.message;
  const inherited = context?.['background'] as Chat | undefined;
  if (inherited) return inherited;
  if (source === 'cli') return terminalChat;
  return internal.has(source) ? undefined : { channel: source, chat: externalId };
}
