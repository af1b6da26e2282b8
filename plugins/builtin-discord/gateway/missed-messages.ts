import type { ChannelInbox } from 'pegboard';
import { ChannelFailure, perform, type JsonApi } from 'pegboard/channels';
import type { Message } from '../wire.ts';

/** Milliseconds: what is older is not answered by a bot that has never run here. */
const maxAgeMs = 86_400_000;
/** Milliseconds by which a message may be delivered after another one that was written later. */
const maxDisorderMs = 60_000;
/** Messages of one answer, at most. */
const pageLength = 100;
/** Milliseconds since 1970 when Discord began to count. Ids are times with 22 bits more. */
const epochMs = 1_420_070_400_000;

export interface MissedMessagesOptions {
  readonly api: JsonApi;
  readonly bot: string;
  readonly chats: Awaited<ReturnType<ChannelInbox['chats']>>;
  /** The last message that was seen, in any chat. Undefined: this bot has never run here. */
  readonly seen: string | undefined;
  /** When this process began to send, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly signal: AbortSignal;
}

/**
 * What was written while the bot was away for longer than Discord keeps a session, chat by chat, the oldest first. Discord
 * itself delivers it never again.
 */
export async function* missedMessages(options: MissedMessagesOptions): AsyncGenerator<readonly Message[]> {
  const { bot, chats, seen, startedAt } = options;
  const yesterday = Date.now() - maxAgeMs;
  const isOld = seen !== undefined && timeOf(seen) < yesterday;
  // The host recognises what it has got already, unless that is old.
  const after = isOld ? seen : idAt(seen === undefined ? yesterday : timeOf(seen) - maxDisorderMs);
  for (const { address, isPrivate } of chats) {
    const messages = await messagesAfter(after, address.chat, options);
    // What another home has said last is an answer; what this process has sent meanwhile, such as a reminder, is none.
    const isAnswer = ({ author, id }: Message): boolean => author.id === bot && timeOf(id) < startedAt;
    const unanswered = seen === undefined ? messages.slice(messages.findLastIndex(isAnswer) + 1) : messages;
    // Discord leaves it out here.
    yield isPrivate ? unanswered : unanswered.map((message) => ({ ...message, guild_id: '0' }));
  }
}

async function messagesAfter(
  first: string,
  chat: string,
  { api, signal }: MissedMessagesOptions,
): Promise<readonly Message[]> {
  const messages: Message[] = [];
  for (let after = first; ;) {
    const path = `/channels/${chat}/messages?limit=${pageLength}&after=${after}`;
    const fetchPage = (): Promise<readonly Message[]> => api.call('GET', path, { signal });
    const page = await perform(fetchPage, { signal, repeatable: true }).catch(unlessRefused);
    messages.push(...page.toReversed());
    if (page.length < pageLength) return messages;
    after = page[0]!.id;
  }
}

/** As for a chat that is gone. */
const unlessRefused = (thrown: unknown): [] => {
  if (thrown instanceof ChannelFailure) return [];
  throw thrown;
};

const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + epochMs;
const idAt = (timeMs: number): string => String(BigInt(timeMs - epochMs) << 22n);
