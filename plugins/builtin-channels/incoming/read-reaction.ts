import type { Origin, ReceivedReaction } from 'pegboard';
import { reactionStart } from 'pegboard/kit';
import type { ChannelParts } from '../channel-parts.ts';

/** Maximum characters of the message that was reacted to. */
const maxReactedLength = 300;

/** "[User reacted with 👍 to your message: "…"]". Undefined for a reaction that doesn't concern the agent. */
export async function readReaction(
  { address, to, emojis, isPrivate }: ReceivedReaction,
  conversation: string,
  parts: Pick<ChannelParts, 'name' | 'messages' | 'context'>,
): Promise<{ readonly text: string; readonly untrusted: readonly Origin[] } | undefined> {
  if (emojis.length === 0) return undefined;
  const found = (await parts.messages.find(address.chat, to)) ?? (await findInHistory());
  // In a group people react to each other all the time.
  if (!isPrivate && found?.own !== true) return undefined;
  const whose = found === undefined ? 'an earlier' : found.own ? 'your' : 'their own';
  return {
    text: `${reactionStart}${emojis.join(' ')} to ${whose} message: "${found?.text ?? ''}"]`,
    untrusted: found ? await originsOfMessage(to, conversation, parts) : [],
  };

  /** For old messages, which only the history contains. */
  async function findInHistory(): Promise<{ readonly own: boolean; readonly text: string } | undefined> {
    const { context, name } = parts;
    const entry = await context.history.find({ source: name, externalId: conversation }, to);
    return entry && { own: entry.role === 'assistant', text: entry.text.slice(0, maxReactedLength) };
  }
}

/** Origins of the text in an earlier message: the account's own may quote others. Unknown if it isn't in the history. */
export async function originsOfMessage(
  message: string,
  conversation: string,
  { name, context }: Pick<ChannelParts, 'name' | 'context'>,
): Promise<readonly Origin[]> {
  const entry = await context.history.find({ source: name, externalId: conversation }, message);
  return entry?.untrusted ?? [{ kind: 'person', what: 'the author of an earlier message' }];
}
