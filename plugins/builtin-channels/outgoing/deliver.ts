import { asSentence, type ChatAddress, type OutgoingMessage, PegboardError, toJson } from 'pegboard';
import { openDeadline } from 'pegboard/kit';
import { addressNamed } from '../address.ts';
import type { DriverParts } from '../driver-parts.ts';
import { ChannelFailure } from '../failure.ts';
import { createButtons } from './buttons.ts';
import { fileParts, textParts } from './parts.ts';
import { sendPart } from './send-part.ts';

/** Maximum milliseconds to wait for a service that can't be reached. */
const maxWaitMs = 120_000;

/** Sends to a chat, "12345", or a topic, "-1001234:7". Rejects with the reason when it was not delivered. */
export async function deliver(
  chat: string,
  message: OutgoingMessage,
  given: AbortSignal,
  { driver, connection, title, store, messages, moved, context, clock }: DriverParts,
): Promise<void> {
  const named = addressOf(chat, { driver, title });
  await moved.refresh();
  const address = { ...named, chat: moved.atHome(named.chat) };
  using deadline = openDeadline(maxWaitMs, AbortSignal.any([given, context.signal]), clock);
  const { signal } = deadline;
  const { buttons: labels = [], attachments = [] } = message;
  const listed = labels.length > 0 && !driver.hasButtons ? `\n\n(${labels.join(' | ')})` : '';
  const texts = textParts(message.text + listed, driver);
  const parts = [...texts, ...fileParts(attachments, { driver, title })];
  if (parts.length === 0) throw new PegboardError('PEG_USAGE', 'There is nothing to send.');
  const buttons =
    labels.length > 0 && driver.hasButtons
      ? await createButtons(store).make(address.chat, labels.slice(0, 99))
      : undefined;
  const withButtons = texts.length > 0 ? texts.length - 1 : parts.length - 1;
  let first: ChannelFailure | undefined;
  try {
    for (const [index, part] of parts.entries()) {
      const under = index === withButtons && buttons;
      try {
        const id = await sendPart(part, { driver, address, clock, signal, ...(under && { buttons: under }) });
        const text = part.kind === 'text' ? part.text : `[${part.kind}]`;
        if (id !== undefined) await messages.keep({ address, id, own: true, text });
      } catch (thrown) {
        // The other parts are still sent.
        if (!(thrown instanceof ChannelFailure)) throw thrown;
        first ??= thrown;
        if (thrown.kind === 'unknown') await connection.connect(signal);
      }
    }
    if (first) throw first;
  } catch (thrown) {
    throw explain(first ?? thrown, chat, title);
  }
}

function addressOf(chat: string, { driver, title }: Pick<DriverParts, 'driver' | 'title'>): ChatAddress {
  const address = addressNamed(chat);
  const problem = address.chat === '' ? 'give its id' : driver.addressProblem?.(address);
  if (problem === undefined) return address;
  throw new PegboardError('PEG_USAGE', `${toJson(chat)} is not a chat of ${title}: ${asSentence(problem)}`);
}

function explain(cause: unknown, chat: string, title: string): unknown {
  if (cause instanceof ChannelFailure) {
    const { kind, message: reason } = cause;
    return kind === 'refused'
      ? new PegboardError(
          'PEG_SERVER_ERROR',
          `${title} refused the message to ${chat}: ${asSentence(reason)}`,
          { cause },
        )
      : new PegboardError(
          'PEG_SERVER_UNAVAILABLE',
          `The connection to ${title} broke (${reason}): it is unknown whether the message to ${chat} arrived.`,
          { cause },
        );
  }
  return (cause as Error | undefined)?.name === 'TimeoutError'
    ? new PegboardError('PEG_TIMEOUT', `${title} could not be reached: the message to ${chat} was not sent.`)
    : cause;
}
