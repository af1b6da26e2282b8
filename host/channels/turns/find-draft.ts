import type { ChannelParts } from '../channel-parts.ts';
import type { Job } from './job.ts';

/** The draft message of an interrupted attempt. */
export async function findDraft(
  { event, address }: Job,
  { driver, events, messages, signal }: Pick<ChannelParts, 'driver' | 'events' | 'messages' | 'signal'>,
  mark = event.draft_mark,
): Promise<string | undefined> {
  if (event.draft !== null || mark === null) return event.draft ?? undefined;
  const found = await driver.find?.(
    { to: address, mark, text: { text: '…' }, options: {} },
    messages,
    signal,
  );
  await events.change(event.id, { draft: found ?? null, draft_mark: null });
  return found;
}
