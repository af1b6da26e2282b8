import { parseJson, toJson, type ChannelInbox } from 'pegboard';
import { confirmCommand } from '../incoming/interactions.ts';
import { isWanted } from '../incoming/read-event.ts';
import type { GatewayEvent, Message, Ready } from '../wire.ts';
import { missedMessages } from './missed-messages.ts';
import type { ReceiverOptions } from './receive.ts';

/** How far the bot has read, as it is stored by the host. */
interface Position {
  /** It can be resumed for a few minutes, after its last event that is on disk. */
  session?: { readonly id: string; readonly url: string; readonly sequence: number } | undefined;
  /** The id of the last message, in whichever chat. */
  seen?: string;
}

/** An event of the gateway: its kind, its number in the session, and what has happened. */
export interface Dispatch {
  readonly t: string;
  readonly s: number;
  readonly d: unknown;
}

/** The session of a bot, from the stored position on. */
export interface Session {
  /** Undefined: a new one has to be begun. */
  readonly resumed: Position['session'];
  /** Resolves when the event is on disk. `ended`: aborts with the connection. */
  take(event: Dispatch, ended: AbortSignal): Promise<void>;
  /** Stores the position, if it has changed. */
  save(): Promise<void>;
  /** The session can't be resumed. */
  forget(): Promise<void>;
}

export function openSession(inbox: ChannelInbox, { api, bot, groups, startedAt }: ReceiverOptions): Session {
  const position = parseJson(inbox.position ?? '{}') as Position;
  let isChanged = false;
  const store = async (events: readonly Identified[]): Promise<void> => {
    isChanged = false;
    const raw = events.map(({ id, t, d }) => ({ id, body: { t, d } }));
    await inbox.take(raw, toJson(position));
  };
  /** Most messages of a server are for others, and are never stored. */
  const storeWanted = async (events: readonly Identified[]): Promise<void> => {
    const wanted = events.filter((event) => isWanted(event, { bot, groups }));
    if (wanted.length > 0) await store(wanted);
  };
  return {
    get resumed() {
      return position.session;
    },
    async take({ t, s, d }, ended) {
      if (t === 'READY') {
        const { session_id: id, resume_gateway_url: url } = d as Ready;
        const chats = await inbox.chats();
        const { seen } = position;
        for await (const messages of missedMessages({ api, bot, chats, seen, startedAt, signal: ended }))
          await storeWanted(messages.map((one) => ({ id: one.id, t: 'MESSAGE_CREATE', d: one })));
        // Only now it counts as begun: if this is interrupted, the next one fetches too.
        position.session = { id, url, sequence: s };
        return await store([]);
      }
      const { session } = position;
      if (session) position.session = { ...session, sequence: s };
      isChanged = true;
      const event = toEvent({ t, s, d }, session?.id ?? '');
      if (event?.t === 'MESSAGE_CREATE') position.seen = later(event.id, position.seen);
      if (event) await storeWanted([event]);
      if (event?.t === 'INTERACTION_CREATE') confirmCommand(api, event.d);
    },
    async save() {
      if (isChanged) await store([]);
    },
    async forget() {
      position.session = undefined;
      await store([]);
    },
  };
}

type Identified = GatewayEvent & { readonly id: string };

/** Undefined: no event that matters. */
function toEvent({ t, s, d }: Dispatch, session: string): Identified | undefined {
  switch (t) {
    case 'MESSAGE_CREATE':
    case 'INTERACTION_CREATE':
      return { id: (d as Message).id, t, d } as Identified;
    case 'MESSAGE_UPDATE':
      return { id: `${(d as Message).id}@${(d as Message).edited_timestamp}`, t, d: d as Message };
    case 'MESSAGE_REACTION_ADD':
      // Discord gives it no id, but the same number when it is delivered again.
      return { id: `${session}/${s}`, t, d } as Identified;
  }
  return undefined;
}

/** Ids are numbers too large for JavaScript. */
const later = (one: string, other = '0'): string => (BigInt(one) > BigInt(other) ? one : other);
