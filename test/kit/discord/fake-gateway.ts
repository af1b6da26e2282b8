import { randomBytes } from 'node:crypto';
import type { ServerSocket } from './web-socket-server.ts';

/** Discord's gateway intents that are used here. */
export const intents = {
  guildMessages: 1 << 9,
  guildReactions: 1 << 10,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
  messageContent: 1 << 15,
} as const;
/** All that version 10 knows. */
const knownIntents = (1 << 26) - 1;

interface Payload {
  readonly op: number;
  readonly d: any;
}

interface Session {
  readonly id: string;
  readonly intents: number;
  /** Everything that was sent in it: number s stands at s - 1. */
  readonly events: { readonly t: string; readonly d: object }[];
  socket: ServerSocket | undefined;
  /** The sequence number of its last heartbeat. */
  acknowledged: number;
}

export interface FakeGateway {
  accept(socket: ServerSocket): void;
  /** Sends an event to the session, or keeps it for when it is resumed. Not sent without its intent. */
  dispatch(t: string, d: object, intent?: number): void;
  readonly session: Session | undefined;
  /** How connections have begun: "identify", "resume". */
  readonly greetings: readonly string[];
  readonly heartbeats: number;
  /** Asks for a heartbeat, which says what the client has handled. */
  askForHeartbeat(): void;
  /** Closes the connection with a code, or breaks it. */
  cut(code?: number): void;
  /** Asks the client to connect again. */
  askToReconnect(): void;
  /** Ends the session. */
  invalidate(): void;
  /** From now on the connection is dead: nothing is answered. */
  freeze(): void;
  /** Sends a text that is no payload, as a broken proxy may. */
  garble(text: string): void;
}

export interface FakeGatewayOptions {
  readonly token: () => string;
  readonly bot: object;
  readonly url: () => string;
  readonly heartbeatMs: () => number;
  readonly allowsContent: () => boolean;
  readonly tell: () => void;
}

/** As strict as Discord's: the order of payloads, token, intents, sequence numbers and the address to resume at. */
export function createFakeGateway(options: FakeGatewayOptions): FakeGateway {
  const { token, bot, tell } = options;
  const greetings: string[] = [];
  let session: Session | undefined;
  let heartbeats = 0;
  let isFrozen = false;
  const send = (socket: ServerSocket, op: number, d: unknown, more: object = {}): void =>
    socket.send(JSON.stringify({ op, d, s: null, t: null, ...more }));
  const sendEvent = (to: Session, index: number): void => {
    const event = to.events[index]!;
    if (to.socket) send(to.socket, 0, event.d, { t: event.t, s: index + 1 });
  };

  /** Returns the code with which a wrong payload ends the connection. */
  const greet = (socket: ServerSocket, { op, d }: Payload): number | undefined => {
    if (op !== 2 && op !== 6) return 4003;
    if (d?.token !== token()) return 4004;
    if (op === 6) return resume(socket, d);
    const { intents: wanted, properties } = d;
    if (!Number.isInteger(wanted) || (wanted & ~knownIntents) !== 0) return 4013;
    if ((wanted & intents.messageContent) !== 0 && !options.allowsContent()) return 4014;
    if (!['os', 'browser', 'device'].every((name) => typeof properties?.[name] === 'string')) return 4002;
    greetings.push('identify');
    const id = randomBytes(16).toString('hex');
    session = { id, intents: wanted, events: [], socket, acknowledged: 0 };
    const ready = {
      v: 10,
      user: bot,
      guilds: [],
      session_id: id,
      resume_gateway_url: `${options.url()}/resumed`,
    };
    session.events.push({
      t: 'READY',
      d: { ...ready, application: { id: (bot as { id: string }).id, flags: 0 } },
    });
    sendEvent(session, 0);
    return undefined;
  };
  const resume = (socket: ServerSocket, d: any): number | undefined => {
    const isThere = session && d.session_id === session.id && socket.url.pathname === '/resumed/';
    if (!isThere) {
      send(socket, 9, false);
      return undefined;
    }
    if (!Number.isInteger(d.seq) || d.seq < 0 || d.seq > session!.events.length) return 4007;
    greetings.push('resume');
    session!.socket?.close();
    session!.socket = socket;
    for (let index = d.seq as number; index < session!.events.length; index++) sendEvent(session!, index);
    session!.events.push({ t: 'RESUMED', d: {} });
    sendEvent(session!, session!.events.length - 1);
    return undefined;
  };

  return {
    accept(socket) {
      const { searchParams: query, pathname } = socket.url;
      if (query.get('v') !== '10' || query.get('encoding') !== 'json') return socket.close(4012);
      if (pathname !== '/' && pathname !== '/resumed/') return socket.close(4000);
      let isGreeted = false;
      isFrozen = false;
      socket.onMessage((text) => {
        if (isFrozen) return;
        const payload = JSON.parse(text) as Payload;
        if (payload.op === 1) {
          const last = session?.socket === socket ? session.events.length : 0;
          const { d } = payload;
          if (d !== null && !(Number.isInteger(d) && d >= 0 && d <= last)) return socket.close(4002);
          heartbeats++;
          if (session?.socket === socket) session.acknowledged = d ?? 0;
          send(socket, 11, null);
        } else if (isGreeted) socket.close(payload.op === 2 || payload.op === 6 ? 4005 : 4001);
        else {
          isGreeted = true;
          const wrong = greet(socket, payload);
          if (wrong !== undefined) socket.close(wrong);
        }
        tell();
      });
      socket.onClose((code) => {
        if (session?.socket === socket) {
          session.socket = undefined;
          // A client that says so wants no session any more.
          if (code === 1000 || code === 1001) session = undefined;
        }
        tell();
      });
      send(socket, 10, { heartbeat_interval: options.heartbeatMs() });
    },
    dispatch(t, d, intent = 0) {
      if (!session || (session.intents & intent) !== intent) return;
      session.events.push({ t, d });
      if (!isFrozen) sendEvent(session, session.events.length - 1);
      tell();
    },
    get session() {
      return session;
    },
    greetings,
    get heartbeats() {
      return heartbeats;
    },
    askForHeartbeat() {
      if (session?.socket) send(session.socket, 1, null);
    },
    cut: (code) => session?.socket?.close(code),
    askToReconnect() {
      if (session?.socket) send(session.socket, 7, null);
    },
    invalidate() {
      const socket = session?.socket;
      session = undefined;
      if (socket) send(socket, 9, false);
    },
    freeze() {
      isFrozen = true;
    },
    garble(text) {
      session?.socket?.send(text);
    },
  };
}
