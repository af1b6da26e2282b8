import type { ChannelInbox } from 'pegboard';
import { ChannelFailure, perform } from 'pegboard/channels';
import type { DiscordApi } from '../discord-api.ts';
import type { Message } from '../wire.ts';
import { isLater, type Place, type Position } from './position.ts';

/** Messages of one answer, at most. */
const pageLength = 100;
/** Milliseconds: older messages of a chat that was not known yet are not answered any more. */
const maxAgeMs = 86_400_000;

export interface CatchUpOptions {
  readonly api: DiscordApi;
  readonly people: ChannelInbox['people'];
  readonly position: Position;
  /** When this process began to send, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Stores the messages, oldest first, with the position. */
  readonly take: (messages: readonly Message[]) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Fetches what was written while the bot was away for longer than Discord keeps a session: in the chats that it knows, and
 * in the private chats with the people who may write. Discord itself delivers it never again.
 */
export async function catchUp({
  api,
  people,
  position,
  startedAt,
  take,
  signal,
}: CatchUpOptions): Promise<void> {
  const { places } = position;
  /** Undefined: Discord refuses, as for a chat that is gone or a person who can't be written to. */
  const ask = async <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T | undefined> => {
    try {
      const call = (): Promise<T> => api.call<T>(method, path, { ...(body && { body }), signal });
      return await perform(call, { signal, repeatable: true });
    } catch (thrown) {
      if (!(thrown instanceof ChannelFailure)) throw thrown;
      return undefined;
    }
  };
  const fetchAfter = async (channel: string, place: Place): Promise<void> => {
    for (let { after } = place; ;) {
      const path = `/channels/${channel}/messages?limit=${pageLength}&after=${after}`;
      const page = await ask<readonly Message[]>('GET', path);
      if (!page) return void places.delete(channel);
      const { guild } = place;
      const messages = page
        .toReversed()
        .map((one) => (guild === undefined ? one : { ...one, guild_id: guild }));
      await take(messages);
      if (page.length < pageLength) return;
      after = page[0]!.id;
    }
  };
  const meet = async (person: string): Promise<void> => {
    const chat = await ask<{ readonly id: string }>('POST', '/users/@me/channels', { recipient_id: person });
    const path = `/channels/${chat?.id}/messages?limit=${pageLength}`;
    const page = chat && (await ask<readonly Message[]>('GET', path));
    if (!page) return;
    // What another process has said last is an answer; what this one has sent meanwhile, such as a reminder, is none.
    const own = page.findIndex(({ author, id }) => author.id === api.bot && timeOf(id) < startedAt);
    const unanswered = (own === -1 ? page : page.slice(0, own)).filter(
      ({ id }) => timeOf(id) > Date.now() - maxAgeMs,
    );
    places.set(chat.id, { after: page[0]?.id ?? '0', person });
    await take(unanswered.toReversed());
  };

  for (const [channel, place] of places) await fetchAfter(channel, place);
  const met = new Set([...places.values()].map(({ person }) => person));
  for (const person of await people()) if (!met.has(person)) await meet(person);
}

/** Milliseconds since 1970 when Discord began to count. */
const epochMs = 1_420_070_400_000;

/** When something got its id, in milliseconds since 1970. */
const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + epochMs;

/** How far a chat is read after a message that was received or sent in it. */
export function advanced(place: Place | undefined, message: Message): Place {
  const { id, guild_id: guild, author } = message;
  const person = guild === undefined && !author.bot ? author.id : place?.person;
  return {
    after: place && isLater(place.after, id) ? place.after : id,
    ...(guild !== undefined && { guild }),
    ...(person !== undefined && { person }),
  };
}
