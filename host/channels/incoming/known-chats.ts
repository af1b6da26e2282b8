import type { ChannelInbox } from '../../api/channels/driver.ts';
import { directChatOf } from '../access/allowed.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { ChannelFailure } from '../failure.ts';
import { perform } from '../outgoing/perform.ts';

/** The chats of recent messages, and the private ones of all people who may write, as far as they can be reached. */
export async function knownChats(
  { driver, messages, allowed }: Pick<ChannelParts, 'driver' | 'messages' | 'allowed'>,
  signal: AbortSignal,
): ReturnType<ChannelInbox['chats']> {
  const direct = new Set<string>();
  for (const person of await allowed.people()) {
    try {
      const open = (): ReturnType<typeof directChatOf> => directChatOf(person, driver);
      direct.add((await perform(open, { signal, repeatable: true })).chat);
    } catch (thrown) {
      if (!(thrown instanceof ChannelFailure)) throw thrown;
    }
  }
  const others = (await messages.latest()).map(({ chat }) => chat).filter((chat) => !direct.has(chat));
  return [
    ...[...direct].map((chat) => ({ address: { chat }, isPrivate: true })),
    ...others.map((chat) => ({ address: { chat }, isPrivate: false })),
  ];
}
