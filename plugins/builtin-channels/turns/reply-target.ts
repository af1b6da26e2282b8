import type { ChannelParts } from '../channel-parts.ts';
import type { Job } from './job.ts';

/** The message that the answer has to name because several wait or waited, or because others read along. */
export async function replyTarget(
  { event, isPrivate, message }: Pick<Job, 'event' | 'isPrivate' | 'message'>,
  { turns }: Pick<ChannelParts, 'turns'>,
): Promise<string | undefined> {
  if (!isPrivate || event.threaded === 1) return message;
  return (await turns.waitingIn(event.conversation)).length > 0 ? message : undefined;
}
