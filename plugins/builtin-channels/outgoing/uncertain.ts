import type { Button, ChatAddress } from 'pegboard';
import type { ChannelParts } from '../channel-parts.ts';
import { ChannelFailure, isHoldUp } from '../failure.ts';
import { findDraft } from '../turns/find-draft.ts';
import type { Job } from '../turns/job.ts';
import { againData, noticeOf, type FailedPart } from './failed-parts.ts';
import type { OutgoingPart } from './parts.ts';
import { perform } from './perform.ts';
import { sendPart } from './send-part.ts';

const interrupted =
  '⚠️ Pegboard was interrupted while it worked on this message, after it had begun to do something. I did not repeat it. Please check what was done, and write again if anything is missing.';

/** Marks the outcome of a turn as unknown and reports it to the chat at least once. */
export async function reportInterrupted(job: Job, parts: ChannelParts): Promise<void> {
  const { events, driver, clock, signal, log } = parts;
  const { event, address } = job;
  await events.change(event.id, { state: 'uncertain' });
  log.warn('the outcome of a message is unknown', { chat: address.chat, of: job.message });
  const draft = await findDraft(job, parts);
  if (draft !== undefined)
    await sendPart({ kind: 'delete', message: draft }, { driver, clock, signal, address });
  await notify(job, interrupted, undefined, parts);
  await parts.asks.close(event.id);
  await events.change(event.id, { told: 1 });
}

/** Reports the parts that failed, and offers to resend those whose delivery is unknown. */
export async function reportFailed(
  job: Job,
  sent: readonly OutgoingPart[],
  failed: readonly FailedPart[],
  parts: ChannelParts,
): Promise<void> {
  const { events, title } = parts;
  const { id } = job.event;
  const isDoubtful = failed.some(({ refused }) => refused === undefined);
  if (isDoubtful) await events.change(id, { state: 'uncertain' });
  const again = isDoubtful ? { label: 'Send it again', data: againData(id) } : undefined;
  const notice = noticeOf(sent, failed, title);
  if (notice !== undefined) await notify(job, notice, again, parts);
  if (isDoubtful) await events.change(id, { told: 1 });
  else await events.done(id);
}

/**
 * Notifies the author of the message, and the owner. Throws the failure if the author's chat or the account takes
 * nothing.
 */
async function notify(
  { event, address, message }: Job,
  text: string,
  button: Button | undefined,
  { driver, messages, allowed, clock, signal, log }: ChannelParts,
): Promise<void> {
  const send = async (to: ChatAddress, notice: string, isReply: boolean): Promise<void> => {
    const options = {
      ...(isReply && { replyTo: message }),
      ...(isReply && button && { buttons: [button] }),
      key: `${event.id}/notice`,
    };
    try {
      const id = await perform(() => driver.send(to, { kind: 'text', text: notice }, options, signal), {
        signal,
        repeatable: true,
        clock,
      });
      await messages.keep({ address: to, id, own: true, text: notice });
    } catch (thrown) {
      if (!(thrown instanceof ChannelFailure) || (isReply && isHoldUp(thrown))) throw thrown;
      log.warn('a notice could not be delivered', { reason: thrown.message });
    }
  };
  const owner = await allowed.ownerChat();
  // At once: a chat that nothing reaches must not keep the owner from knowing.
  await Promise.all([
    send(address, text, true),
    owner && owner.chat !== address.chat
      ? send(owner, `${text} (In the chat ${address.chat}.)`, false)
      : undefined,
  ]);
}
