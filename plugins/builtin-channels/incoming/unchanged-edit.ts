import { type ReceivedMessage, toJson } from 'pegboard';
import type { ChannelParts } from '../channel-parts.ts';
import type { StoredEvent } from '../inbox/events.ts';
import { isWhole } from '../outgoing/messages.ts';
import { messageOf } from '../turns/read-job.ts';

/**
 * Whether an edited message says what it said before: services report a preview, a pin or a moved location as an edit,
 * too. Of messages from before the stored events, only short texts are known.
 */
export async function changesNothing(
  event: StoredEvent,
  message: ReceivedMessage,
  parts: Pick<ChannelParts, 'events' | 'driver' | 'messages'>,
): Promise<boolean> {
  for (const earlier of await parts.events.before(event)) {
    const before = messageOf(earlier, parts);
    if (before?.id === message.id) return contentOf(before) === contentOf(message);
  }
  const kept = await parts.messages.find(message.address.chat, message.id);
  return (
    kept !== undefined &&
    isWhole(kept.text) &&
    kept.text === message.text &&
    (message.files ?? []).length === 0
  );
}

const contentOf = ({ text, files = [], unsupported, quote }: ReceivedMessage): string =>
  toJson([text, files.map(({ id }) => id), unsupported ?? null, quote ?? null]);
