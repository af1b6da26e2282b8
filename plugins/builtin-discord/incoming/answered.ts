import type { Origin, ReceivedMessage } from 'pegboard';
import type { Message } from '../wire.ts';

/** The message that a message replies to. */
export interface Answered {
  readonly repliesToUs: boolean;
  readonly members: Pick<ReceivedMessage, 'replyTo' | 'repliesToUs' | 'quote'>;
  /** Of its text, if neither the bot nor who answers has written it. */
  readonly origins: readonly Origin[];
}

export function answeredIn(message: Message, bot: string): Answered {
  const { author, message_reference: reference, referenced_message: answered } = message;
  const replyTo = reference?.message_id;
  // A forwarded message has a reference too.
  if (replyTo === undefined || !answered) return { repliesToUs: false, members: {}, origins: [] };
  const { author: other, content, webhook_id: webhook } = answered;
  const repliesToUs = other.id === bot;
  const isOwn = other.id === author.id && webhook === undefined;
  const who = other.bot || webhook !== undefined ? 'another bot' : `@${other.username}`;
  return {
    repliesToUs,
    members: { replyTo, repliesToUs, quote: content },
    origins: repliesToUs || isOwn ? [] : [{ kind: 'person', what: who }],
  };
}
