import { PegboardError, toJson, type OutgoingMessage } from 'pegboard';
import type { BotApi } from '../bot-api.ts';
import { addressNamed } from '../incoming/conversation.ts';
import { createMessages } from '../outgoing/messages.ts';
import { fileParts, textParts } from '../outgoing/parts.ts';
import { sendPart } from '../outgoing/send-part.ts';
import { TelegramFailure, untilReachable } from '../perform.ts';
import type { TelegramDatabase } from '../tables.ts';
import { createButtons } from './buttons.ts';

/** Milliseconds that Telegram may be out of reach. */
const maxWaitMs = 120_000;

export interface DeliverServices {
  readonly api: BotApi;
  readonly database: () => Promise<TelegramDatabase>;
  /** The plugin's end. */
  readonly signal: AbortSignal;
}

/** Sends to a chat, "12345", or a topic, "-1001234:7". Rejects with why it did not arrive. */
export async function deliver(
  chat: string,
  message: OutgoingMessage,
  given: AbortSignal,
  { api, database, signal: ending }: DeliverServices,
): Promise<void> {
  const place = addressNamed(chat);
  if (!place) {
    throw new PegboardError(
      'PEG_USAGE',
      `${toJson(chat)} is no chat of Telegram: give its number, "12345", or with a topic "-1001234:7".`,
    );
  }
  const signal = AbortSignal.any([given, ending, AbortSignal.timeout(maxWaitMs)]);
  const texts = textParts(message.text);
  const parts = [...texts, ...fileParts(message.attachments ?? [])];
  if (parts.length === 0) throw new PegboardError('PEG_USAGE', 'There is nothing to send.');
  const keyboard =
    message.buttons && message.buttons.length > 0
      ? await createButtons(database, api).keyboardFor(place.chat, message.buttons.slice(0, 99))
      : undefined;
  const withButtons = texts.length > 0 ? texts.length - 1 : parts.length - 1;
  const messages = createMessages(database);
  let first: TelegramFailure | undefined;
  try {
    for (const [index, part] of parts.entries()) {
      const under = index === withButtons && keyboard;
      try {
        const id = await sendPart(part, { api, place, signal, ...(under && { keyboard: under }) });
        const text = part.kind === 'text' ? part.plain : `[${part.kind}]`;
        if (id !== undefined) await messages.keep({ place, id, own: true, text });
      } catch (thrown) {
        // The other parts have nothing to do with it.
        if (!(thrown instanceof TelegramFailure)) throw thrown;
        first ??= thrown;
        if (thrown.failure.kind === 'unknown') await untilReachable(api, signal);
      }
    }
    if (first) throw first;
  } catch (thrown) {
    throw explain(first ?? thrown, chat);
  }
}

function explain(thrown: unknown, chat: string): unknown {
  if (thrown instanceof TelegramFailure) {
    const { kind, reason } = thrown.failure;
    return kind === 'refused'
      ? new PegboardError('PEG_SERVER_ERROR', `Telegram refused the message to ${chat}: ${reason}.`, {
          cause: thrown,
        })
      : new PegboardError(
          'PEG_SERVER_UNAVAILABLE',
          `The connection to Telegram broke (${reason}): nobody knows whether the message to ${chat} arrived.`,
          { cause: thrown },
        );
  }
  return (thrown as Error | undefined)?.name === 'TimeoutError'
    ? new PegboardError('PEG_TIMEOUT', `Telegram could not be reached: the message to ${chat} was not sent.`)
    : thrown;
}
