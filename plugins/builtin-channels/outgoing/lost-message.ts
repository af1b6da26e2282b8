import type { ChannelDriver, ChatAddress, Clock, HistoryMessage, LostMessage } from 'pegboard';
import type { Messages } from './messages.ts';
import { perform } from './perform.ts';

interface FindsMessages {
  readonly driver: Pick<ChannelDriver, 'mark' | 'find' | 'history' | 'edit'>;
  readonly messages: Messages;
}

/** A position before the next message of a chat, for `findLost`. Null: the driver can't find messages. */
export async function markOf(to: ChatAddress, { driver, messages }: FindsMessages): Promise<string | null> {
  if (driver.mark) return await driver.mark(to, messages);
  if (!driver.history) return null;
  return (await messages.latest()).find(({ chat }) => chat === to.chat)?.id ?? '';
}

/** Finds a message that was sent after the mark and whose id is unknown, by its buttons or its text, and edits it. */
export async function findLost(
  lost: LostMessage,
  { driver, messages, clock }: FindsMessages & { readonly clock: Clock },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (driver.find) return await driver.find(lost, messages, signal);
  if (!driver.history || !driver.edit) return undefined;
  const { to, mark, text, options } = lost;
  const repeatable = { signal, repeatable: true, clock };
  const query = { address: to, isPrivate: false, after: mark };
  for (const message of await perform(() => driver.history!(query, signal), repeatable)) {
    if (!message.isOwn || !isMeant(message, lost) || (await messages.has(to.chat, message.id))) continue;
    if (await perform(() => driver.edit!(to, message.id, text, options, signal), repeatable))
      return message.id;
  }
  return undefined;
}

/** What an interrupted attempt to show an answer is replaced by. */
export const lostDraft = '…';

function isMeant(sent: HistoryMessage, { text: { text }, options }: LostMessage): boolean {
  if (options.buttons) return options.buttons.some(({ data }) => sent.buttons.includes(data));
  // A question gets its outcome at the end.
  return text === lostDraft ? sent.text.endsWith(lostDraft) : sent.text !== '' && text.startsWith(sent.text);
}
