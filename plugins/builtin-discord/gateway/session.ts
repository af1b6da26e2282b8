import { parseJson, toJson, type ChannelInbox } from 'pegboard';
import type { JsonApi } from 'pegboard/channels';
import { confirmCommand } from '../incoming/interactions.ts';
import type { Interaction, Message, Ready } from '../wire.ts';

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
  /** It can't be resumed. */
  forget(): Promise<void>;
}

export function openSession(api: JsonApi, inbox: ChannelInbox): Session {
  const position = parseJson(inbox.position ?? '{}') as Position;
  return {
    get resumed() {
      return position.session;
    },
    async take({ t, s, d }, ended) {
      if (t === 'READY') {
        const { session_id: id, resume_gateway_url: url } = d as Ready;
        await inbox.catchUp(whereToCatchUp(position.seen), ended);
        // Only now it counts as begun: if this is interrupted, the next one catches up too.
        position.session = { id, url, sequence: s };
        return await inbox.take([], toJson(position));
      }
      const { session } = position;
      if (session) position.session = { ...session, sequence: s };
      if (t === 'MESSAGE_CREATE') position.seen = laterOf((d as Message).id, position.seen);
      await inbox.take([{ id: idOf({ t, s, d }, session?.id), body: { t, d } }], toJson(position));
      if (t === 'INTERACTION_CREATE') confirmCommand(api, d as Interaction);
    },
    async forget() {
      if (!position.session) return;
      position.session = undefined;
      await inbox.take([], toJson(position));
    },
  };
}

/** The same when an event is delivered again. */
function idOf({ t, s, d }: Dispatch, session: string | undefined): string {
  const { id, edited_timestamp: editedAt } = (d ?? {}) as Partial<Message>;
  if (id === undefined) return `${session}/${s}`;
  return t === 'MESSAGE_UPDATE' ? `${id}@${editedAt}` : id;
}

/** Milliseconds since 1970 when Discord began to count. Its ids are times, with 22 bits more. */
const epochMs = 1_420_070_400_000;
const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + epochMs;
const idAt = (timeMs: number): string => String(BigInt(timeMs - epochMs) << 22n);

/** Ids are numbers too large for JavaScript. */
const laterOf = (id: string, other = '0'): string => (BigInt(id) > BigInt(other) ? id : other);

/** Milliseconds: what is older is not answered by a bot that has never run here. */
const maxAgeMs = 86_400_000;
/** Milliseconds by which a message may be delivered after another one that was written later. */
const maxDisorderMs = 60_000;

/** The id after which messages may have been missed. `seen`: of the last message; undefined for a bot that never ran. */
export function whereToCatchUp(seen: string | undefined, now = Date.now()): string {
  const yesterday = now - maxAgeMs;
  if (seen === undefined) return idAt(yesterday);
  // The host recognises what it has got already, unless that is old.
  return timeOf(seen) < yesterday ? seen : idAt(timeOf(seen) - maxDisorderMs);
}
