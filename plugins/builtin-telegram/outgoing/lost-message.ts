import type { ChatAddress, Clock, KnownMessages, LostMessage } from 'pegboard';
import { perform } from 'pegboard/channels';
import type { BotApi } from '../bot-api.ts';
import { isRefusal } from '../failure.ts';
import { isSupergroup } from '../incoming/address.ts';
import { editMessage } from './send.ts';

/** Maximum number of ids to try. There are gaps, because chats share a counter. */
const maxDistance = 32;

/**
 * The highest known message id of the chat's counter. Each supergroup numbers its own messages; all other chats of a bot
 * share one counter.
 */
export async function markOf({ chat }: ChatAddress, known: KnownMessages): Promise<string> {
  const counted = (await known.latest()).filter((message) =>
    isSupergroup(chat) ? message.chat === chat : !isSupergroup(message.chat),
  );
  return String(Math.max(0, ...counted.map(({ id }) => Number(id))));
}

/**
 * Finds a message of ours whose id is unknown. Bots can't search for messages, and can edit only their own. So this tries
 * to edit each possible id, except those of known messages, until an edit succeeds.
 */
export async function findLostMessage(
  { to, mark, text, options }: LostMessage,
  known: KnownMessages,
  { api, clock, signal }: { readonly api: BotApi; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string | undefined> {
  // Telegram can't edit a message that forces a reply.
  if (options.awaitsText) return undefined;
  for (let distance = 1; distance <= maxDistance; distance++) {
    const id = String(Number(mark) + distance);
    if (await known.has(to.chat, id)) continue;
    try {
      const edit = () => editMessage(api, to, id, text, options);
      if (await perform(edit, { signal, repeatable: true, clock })) return id;
    } catch (thrown) {
      if (!isRefusal(thrown, '')) throw thrown;
    }
  }
  return undefined;
}
