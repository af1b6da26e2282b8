import type { History, Logger } from 'pegboard';
import type { Place } from '../incoming/conversation.ts';
import type { Updates } from '../inbox/updates.ts';
import type { BotApi } from '../bot-api.ts';
import type { Messages } from '../outgoing/messages.ts';
import type { OutgoingPart } from '../outgoing/parts.ts';
import { isRepeatable, sendPart } from '../outgoing/send-part.ts';
import { TelegramFailure } from '../perform.ts';

export interface DeliverPartsOptions {
  readonly api: BotApi;
  readonly updates: Updates;
  readonly messages: Messages;
  readonly history: Pick<History, 'keepExternalId'>;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Does what is left of an update's parts, each noted on disk before and after: whoever goes on after a crash knows
 * which were done, and that of one nobody knows. Returns false when nobody can say whether a part arrived.
 */
export async function deliverParts(
  {
    id,
    parts,
    sent,
  }: { readonly id: number; readonly parts: readonly OutgoingPart[]; readonly sent: number },
  place: Place,
  options: DeliverPartsOptions,
): Promise<boolean> {
  const { api, updates, messages, history, signal, log } = options;
  for (const [index, part] of parts.entries()) {
    if (index < sent) continue;
    if (!isRepeatable(part)) await updates.change(id, { sending: 1 });
    try {
      const message = await sendPart(part, { api, place, signal });
      await updates.change(id, { sending: 0, sent: index + 1 });
      if (message !== undefined) {
        const text = part.kind === 'text' ? part.plain : `[${part.kind}]`;
        await messages.keep({ place, id: message, own: true, text });
        if (part.kind === 'text' && part.answer !== undefined)
          await history.keepExternalId(part.answer, String(message));
      }
    } catch (thrown) {
      if (!(thrown instanceof TelegramFailure)) throw thrown;
      if (thrown.failure.kind === 'unknown') return false;
      log.warn('Telegram refused a message', { chat: place.chat, reason: thrown.failure.reason });
      await updates.change(id, { sending: 0, sent: index + 1 });
    }
  }
  return true;
}
