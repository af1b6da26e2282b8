import { parseJson, type ReceivedMessage } from 'pegboard';
import { addressNamed } from '../address.ts';
import type { ChannelParts } from '../channel-parts.ts';
import type { BegunEvent, StoredEvent } from '../inbox/events.ts';
import { readReaction } from '../incoming/read-reaction.ts';
import { inOne } from '../incoming/split-text.ts';
import type { Job } from './job.ts';

/** What a turn answers: the same on every host, however often it is read. Undefined when there is nothing to answer. */
export async function readJob(
  event: BegunEvent,
  joined: readonly StoredEvent[],
  parts: ChannelParts,
): Promise<Job | undefined> {
  const read = parts.driver.read(parseJson(event.body));
  switch (read?.kind) {
    case 'message': {
      const message = asAnswered(event, read);
      const others = joined.flatMap((other) => messageOf(other, parts) ?? []);
      const { address, isPrivate, from, id, album } = message;
      const all = [message, ...others];
      const messages = album === undefined ? [inOne(all, parts.driver)] : all;
      return { event, address, isPrivate, person: from?.id ?? '', message: id, messages };
    }
    case 'press': {
      const { from, address, isPrivate, message } = read;
      const text = await parts.buttons.press(read, event.id);
      if (!from || text === undefined || message === undefined) return undefined;
      return { event, address, isPrivate, person: from.id, message, messages: [], text };
    }
    case 'reaction': {
      const { from, to, isPrivate } = read;
      const reaction = from && (await readReaction(read, event.conversation, parts));
      if (!reaction) return undefined;
      const address = addressNamed(event.conversation);
      return { event, address, isPrivate, person: from.id, message: to, messages: [], ...reaction };
    }
    case 'chat':
    case undefined:
      return undefined;
  }
}

/** Undefined for an event without a message. */
export function messageOf(
  event: StoredEvent,
  { driver }: Pick<ChannelParts, 'driver'>,
): ReceivedMessage | undefined {
  const read = driver.read(parseJson(event.body));
  return read?.kind === 'message' ? asAnswered(event, read) : undefined;
}

/** A message that was edited before it was answered is answered as any other. */
const asAnswered = ({ rewritten }: StoredEvent, message: ReceivedMessage): ReceivedMessage =>
  rewritten === 1 ? { ...message, isEdited: false } : message;
