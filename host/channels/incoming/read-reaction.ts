import type { ReceivedReaction } from '../../api/channels/driver.ts';
import type { Origin } from '../../api/provenance.ts';
import type { ChannelParts } from '../channel-parts.ts';

/** Characters of a message that was reacted to. */
const maxReactedLength = 300;

/** "[User reacted with 👍 to your message: "…"]". Undefined for one that is none of the agent's business. */
export async function readReaction(
  { address, to, emojis, isPrivate }: ReceivedReaction,
  conversation: string,
  parts: Pick<ChannelParts, 'name' | 'messages' | 'context'>,
): Promise<{ readonly text: string; readonly untrusted: readonly Origin[] } | undefined> {
  if (emojis.length === 0) return undefined;
  const found = (await parts.messages.find(address.chat, to)) ?? (await findSaid());
  // In a group people react to each other all the time.
  if (!isPrivate && found?.own !== true) return undefined;
  const whose = found === undefined ? 'an earlier' : found.own ? 'your' : 'their own';
  return {
    text: `[User reacted with ${emojis.join(' ')} to ${whose} message: "${found?.text ?? ''}"]`,
    untrusted: found ? await originsOfSaid(to, conversation, parts) : [],
  };

  /** Long ago: only the history knows. */
  async function findSaid(): Promise<{ readonly own: boolean; readonly text: string } | undefined> {
    const { context, name } = parts;
    const said = await context.history.find({ source: name, externalId: conversation }, to);
    return said && { own: said.role === 'assistant', text: said.text.slice(0, maxReactedLength) };
  }
}

/** What the account itself once said may be made of others' words; what isn't in the history is not known. */
export async function originsOfSaid(
  message: string,
  conversation: string,
  { name, context }: Pick<ChannelParts, 'name' | 'context'>,
): Promise<readonly Origin[]> {
  const said = await context.history.find({ source: name, externalId: conversation }, message);
  return said?.untrusted ?? [{ kind: 'person', what: 'whoever wrote an earlier message' }];
}
