import { toJson, type History, type Logger } from 'pegboard';
import type { ChatAddress } from '../incoming/conversation.ts';
import type { Updates } from '../inbox/updates.ts';
import type { BotApi } from '../bot-api.ts';
import type { FailedPart } from '../outgoing/failed-parts.ts';
import type { Messages } from '../outgoing/messages.ts';
import type { OutgoingPart } from '../outgoing/parts.ts';
import { sendPart } from '../outgoing/send-part.ts';
import { TelegramFailure, untilReachable } from '../perform.ts';

export interface DeliverPartsOptions {
  readonly api: BotApi;
  readonly updates: Updates;
  readonly messages: Messages;
  readonly history: Pick<History, 'keepExternalId'>;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** How far the parts of an update's answer have come. */
export interface Delivery {
  readonly parts: readonly OutgoingPart[];
  /** How many of them were dealt with. */
  readonly sent: number;
  readonly failed: readonly FailedPart[];
}

/**
 * Does what is left of an update's parts, each noted on disk before and after: whoever goes on after a crash knows
 * which were done, and that of one nobody knows. One that fails keeps no other back. Returns those that failed.
 */
export async function deliverParts(
  id: number,
  { parts, sent, failed: before }: Delivery,
  place: ChatAddress,
  options: DeliverPartsOptions,
): Promise<readonly FailedPart[]> {
  const { api, updates, messages, history, signal, log } = options;
  const beforeSending = (): Promise<void> => updates.change(id, { sending: 1 });
  let failed = before;
  for (const [index, part] of parts.entries()) {
    if (index < sent) continue;
    try {
      const message = await sendPart(part, { api, place, signal, beforeSending });
      await updates.change(id, { sending: 0, sent: index + 1 });
      if (message !== undefined) {
        const text = part.kind === 'text' ? part.plain : `[${part.kind}]`;
        await messages.keep({ place, id: message, own: true, text });
        if (part.kind === 'text' && part.answer !== undefined)
          await history.keepExternalId(part.answer, String(message));
      }
    } catch (thrown) {
      if (!(thrown instanceof TelegramFailure)) throw thrown;
      const { kind, reason } = thrown.failure;
      log.warn('a part of an answer did not arrive as it should', { chat: place.chat, kind, reason });
      failed = [...failed, kind === 'refused' ? { part: index, refused: reason } : { part: index }];
      await updates.change(id, { sending: 0, sent: index + 1, failed: toJson(failed) });
      if (kind === 'unknown') await untilReachable(api, signal);
    }
  }
  return failed;
}
