import type { Message } from 'grammy/types';
import type { Origin } from 'pegboard';
import { shownName } from '../access/pairing.ts';
import { fileOf } from './files.ts';

/** Who wrote what came with a message, where that was not its sender. */
export function originsOf(message: Message): readonly Origin[] {
  const { forward_origin: forwarded, reply_to_message: answered, quote, external_reply: elsewhere } = message;
  const origins: Origin[] = [];
  if (forwarded) origins.push({ kind: 'person', what: 'whoever wrote what was forwarded' });
  const author = answered?.from;
  if (author && !author.is_bot && author.id !== message.from?.id)
    origins.push({ kind: 'person', what: shownName(author) });
  else if (elsewhere || (quote && !author)) origins.push({ kind: 'person', what: 'another chat' });
  const file = fileOf(message);
  if (file) origins.push({ kind: 'file', what: file.name });
  return origins;
}
