import type { ChannelParts } from '../channel-parts.ts';
import { findLost, lostDraft } from '../outgoing/lost-message.ts';
import type { Job } from './job.ts';

/** The draft message of an interrupted attempt. */
export async function findDraft(
  { event, address }: Job,
  parts: Pick<ChannelParts, 'driver' | 'events' | 'messages' | 'clock' | 'signal'>,
  mark = event.draft_mark,
): Promise<string | undefined> {
  if (event.draft !== null || mark === null) return event.draft ?? undefined;
  const lost = { to: address, mark, text: { text: lostDraft }, options: {} };
  const found = await findLost(lost, parts, parts.signal);
  await parts.events.change(event.id, { draft: found ?? null, draft_mark: null });
  return found;
}
