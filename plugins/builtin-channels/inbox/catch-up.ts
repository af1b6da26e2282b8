import type { ChannelInbox, HistoryMessage, RawEvent } from 'pegboard';
import { directChatOf } from '../access/allowed.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { ChannelFailure, isHoldUp } from '../failure.ts';
import { perform } from '../outgoing/perform.ts';

export interface CatchUpOptions {
  readonly parts: Pick<ChannelParts, 'driver' | 'messages' | 'allowed' | 'clock'>;
  readonly take: (events: readonly RawEvent[]) => Promise<void>;
  /** The account has never been used in this home. What another home has answered is not answered again. */
  readonly isFirst: boolean;
}

/** Milliseconds: what is older is not answered by an account that has never received anything here. */
const maxAgeMs = 86_400_000;
/** Milliseconds by which a message may be delivered after another one that was written later. */
const maxDisorderMs = 60_000;

/** The time since which messages may have been missed. */
export function missedSince(seenMs: number | undefined, nowMs = Date.now()): Date {
  const yesterdayMs = nowMs - maxAgeMs;
  if (seenMs === undefined) return new Date(yesterdayMs);
  // What was received already is recognised, unless that is old.
  return new Date(seenMs < yesterdayMs ? seenMs : seenMs - maxDisorderMs);
}

/**
 * Takes what was written while nothing was received, chat by chat, the oldest first: in the chats of recent
 * messages, and in the private ones with the people who may write. Chats that can't be read are left out.
 */
export const createCatchUp =
  ({ parts, take, isFirst }: CatchUpOptions): ChannelInbox['catchUp'] =>
  async (seenMs, signal) => {
    const since = missedSince(seenMs);
    const { driver, messages, allowed, clock } = parts;
    const ask = async <Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> => {
      try {
        return await perform(call, { signal, repeatable: true, clock });
      } catch (thrown) {
        if (!(thrown instanceof ChannelFailure)) throw thrown;
        if (isHoldUp(thrown) && thrown.scope === 'account') throw thrown;
        return undefined;
      }
    };
    const fetchAll = async (chat: string, isPrivate: boolean): Promise<readonly HistoryMessage[]> => {
      const all: HistoryMessage[] = [];
      for (let last: string | Date = since; ;) {
        const page = await ask(() => driver.history!({ address: { chat }, isPrivate, after: last }, signal));
        if (!page || page.length === 0) return all;
        all.push(...page);
        last = page.at(-1)!.id;
      }
    };
    const isAnswer = async ({ id, isOwn }: HistoryMessage, chat: string): Promise<boolean> =>
      isOwn && !(await messages.has(chat, id));
    const takeFrom = async (chat: string, isPrivate: boolean): Promise<void> => {
      const found = [...(await fetchAll(chat, isPrivate))];
      let from = 0;
      if (isFirst)
        for (const [index, message] of found.entries()) if (await isAnswer(message, chat)) from = index + 1;
      await take(found.slice(from).map(({ event }) => event));
    };

    const direct = new Set<string>();
    for (const person of await allowed.people()) {
      const address = await ask(() => directChatOf(person, driver));
      if (address) direct.add(address.chat);
    }
    for (const chat of direct) await takeFrom(chat, true);
    for (const { chat } of await messages.latest()) if (!direct.has(chat)) await takeFrom(chat, false);
  };
