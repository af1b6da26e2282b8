import type { ChatAddress, KnownMessages, LostMessage } from 'pegboard';
import { perform } from 'pegboard/channels';
import type { BotApi } from '../bot-api.ts';
import { isRefusal } from '../failure.ts';
import { editMessage } from './send.ts';

/** Ids that are looked at: other chats share the count of private ones. */
const maxDistance = 32;

/** Supergroups count their own messages; all other chats of a bot share one count. */
const firstSupergroup = -1_000_000_000_000;
const isSupergroup = (chat: string): boolean => Number(chat) < firstSupergroup;

/** The highest id that is known among messages that share a count with this chat's. */
export async function markOf({ chat }: ChatAddress, known: KnownMessages): Promise<string> {
  const counted = (await known.latest()).filter((message) =>
    isSupergroup(chat) ? message.chat === chat : !isSupergroup(message.chat),
  );
  return String(Math.max(0, ...counted.map(({ id }) => Number(id))));
}

/**
 * A message of ours of which nobody knows the id. Bots can't look for messages, but they can edit only their own: so
 * each id that could be it, and that is none of a message that is known, is edited until one can be.
 */
export async function findLostMessage(
  api: BotApi,
  { to, mark, text, options }: LostMessage,
  known: KnownMessages,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Telegram can't edit a message that forces a reply.
  if (options.awaitsText) return undefined;
  for (let distance = 1; distance <= maxDistance; distance++) {
    const id = String(Number(mark) + distance);
    if (await known.has(to.chat, id)) continue;
    try {
      if (await perform(() => editMessage(api, to, id, text, options), { signal, repeatable: true }))
        return id;
    } catch (thrown) {
      if (!isRefusal(thrown, '')) throw thrown;
    }
  }
  return undefined;
}
