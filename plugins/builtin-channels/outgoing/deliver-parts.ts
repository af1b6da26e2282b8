import { type ChatAddress, toJson } from 'pegboard';
import type { ChannelParts } from '../channel-parts.ts';
import { ChannelFailure, isHoldUp } from '../failure.ts';
import type { FailedPart } from './failed-parts.ts';
import type { OutgoingPart } from './parts.ts';
import { sendPart } from './send-part.ts';

/** Progress in sending the parts of an answer. */
export interface Delivery {
  readonly parts: readonly OutgoingPart[];
  /** Number of parts that were sent or have failed. */
  readonly sent: number;
  readonly failed: readonly FailedPart[];
  /** Whether it is recorded that the next part is about to be sent. */
  readonly isSending?: boolean;
}

/**
 * Sends the remaining parts of an event. Each part is recorded before and after it is sent, so that after a crash it is
 * known which were sent and which one is uncertain; the caller records the end of the last one together with what is
 * done then. A part that fails doesn't stop the others. Returns the failed parts.
 * Throws the failure if the chat or the account takes nothing.
 */
export async function deliverParts(
  id: number,
  { parts, sent, failed: before, isSending = false }: Delivery,
  address: ChatAddress,
  { driver, connection, events, messages, context: { history }, clock, signal, log }: ChannelParts,
): Promise<readonly FailedPart[]> {
  let failed = before;
  for (const [index, part] of parts.entries()) {
    if (index < sent) continue;
    try {
      const key = `${id}/${part.called ?? index}`;
      const beforeSending = async (): Promise<void> => {
        if (index > sent || !isSending) await events.change(id, { sending: 1 });
      };
      const message = await sendPart(part, { driver, address, clock, signal, key, beforeSending });
      if (index + 1 < parts.length || failed.length > 0)
        await events.change(id, { sending: 0, sent: index + 1 });
      if (message !== undefined) {
        const text = part.kind === 'text' ? part.text : `[${part.kind}]`;
        await messages.keep({ address, id: message, own: true, text });
        if (part.kind === 'text' && part.answer !== undefined)
          await history.keepExternalId(part.answer, message);
      }
    } catch (thrown) {
      if (!(thrown instanceof ChannelFailure) || isHoldUp(thrown)) throw thrown;
      const { kind, message: reason } = thrown;
      log.warn('a part of an answer could not be delivered', { chat: address.chat, kind, reason });
      failed = [...failed, kind === 'refused' ? { part: index, refused: reason } : { part: index }];
      await events.change(id, { sending: 0, sent: index + 1, failed: toJson(failed) });
      // So that the delivery of the next part isn't uncertain as well.
      if (kind === 'unknown') await connection.connect(signal);
    }
  }
  return failed;
}
