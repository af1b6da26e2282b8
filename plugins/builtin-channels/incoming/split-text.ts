import type { ChannelDriver, Clock, ReceivedMessage } from 'pegboard';
import { nameOf } from '../address.ts';

/** Milliseconds within which the next part of a text arrives that was too long for one message. */
export const splitDelayMs = 1_000;

type Splits = Pick<ChannelDriver, 'splitLength'>;

/**
 * Whether more of the same text may follow. Programs split between words or paragraphs, so that a part may be only half
 * full; nobody types that much within a second.
 */
export const mayGoOn = (message: ReceivedMessage, { splitLength }: Splits): boolean =>
  splitLength !== undefined && isPlain(message) && message.text.length >= splitLength / 2;

/** Whether a message is the next part of what the other one says, which came before it within that time. */
export const goesOnWith = (before: ReceivedMessage, next: ReceivedMessage, driver: Splits): boolean =>
  mayGoOn(before, driver) &&
  isPlain(next) &&
  (next.replyTo === undefined || next.replyTo === before.replyTo) &&
  before.from !== undefined &&
  before.from.id === next.from?.id;

const isPlain = ({ isEdited, isForwarded, files = [], unsupported, album }: ReceivedMessage): boolean =>
  !isEdited && !isForwarded && files.length === 0 && unsupported === undefined && album === undefined;

/** The parts of a text as one message. */
export function inOne(parts: readonly ReceivedMessage[], { splitLength }: Splits): ReceivedMessage {
  const [first, ...others] = parts;
  if (others.length === 0) return first!;
  /** One that is full was split wherever it was; of others, the line end or the space between was left out. */
  const join = (texts: readonly string[]): string =>
    texts.reduce((whole, text, index) => {
      const isFull = parts[index - 1]!.text.length === splitLength;
      return `${whole}${isFull ? '' : '\n'}${text}`;
    });
  const { answer, command } = first!;
  const isTyped = parts.every((part) => part.answer !== undefined);
  const { answer: _answer, ...rest } = first!;
  return {
    ...rest,
    text: join(parts.map(({ text }) => text)),
    ...(answer !== undefined && isTyped && { answer: join(parts.map((part) => part.answer!)) }),
    ...(command && {
      command: { ...command, rest: join([command.rest, ...others.map(({ text }) => text)]) },
    }),
    untrusted: parts.flatMap(({ untrusted = [] }) => untrusted),
  };
}

/**
 * Tells the rest of a split text by what was received before, since in a group only its beginning mentions the account.
 * Call it with each message in the order of receipt.
 */
export function watchSplits(
  driver: Splits,
  clock: Clock,
): (message: ReceivedMessage, isMeant: boolean) => boolean {
  const begun = new Map<string, { readonly message: ReceivedMessage; readonly at: number }>();
  return (message, isMeant) => {
    const { from, address } = message;
    if (!from) return false;
    const key = `${nameOf(address)}/${from.id}`;
    const before = begun.get(key);
    begun.delete(key);
    const isRest =
      before !== undefined &&
      clock.monotonic() - before.at <= splitDelayMs &&
      goesOnWith(before.message, message, driver);
    if ((isMeant || isRest) && mayGoOn(message, driver)) begun.set(key, { message, at: clock.monotonic() });
    return isRest;
  };
}
