import type { APIInteraction, GatewayReadyDispatchData } from 'discord-api-types/v10';
import type { ChannelInbox, ConnectionStatus, RawEvent } from 'pegboard';
import { ChannelFailure, openJsonSocket, type ChannelSettings, type JsonApi } from 'pegboard/channels';
import { timeOf } from './discord-api.ts';
import { confirmCommand } from './incoming/interactions.ts';
import type { Message } from './incoming/message.ts';

export interface ReceiveOptions extends Pick<ChannelSettings, 'groups'> {
  readonly api: JsonApi;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly status: ConnectionStatus;
}

/** Where to go on after a lost connection or a restart. */
interface Position {
  /** Discord keeps it for a few minutes, with the events after this one. */
  readonly session?: { readonly id: string; readonly url: string; readonly sequence: number } | undefined;
  /** When the last message was written, in whichever chat. */
  readonly seenMs?: number | undefined;
}

/** discord.com/developers/docs/topics/opcodes-and-status-codes#gateway */
const ops = {
  event: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
} as const;

/** `t`, `s`: the kind of an event, and its number in the session. */
type Payload = { readonly op: number; readonly t: string; readonly s: number; readonly d: any };

/** Bits of kinds of events (discord.com/developers/docs/events/gateway#gateway-intents). */
const directMessages = (1 << 12) | (1 << 13);
const serverMessages = (1 << 9) | (1 << 10);
/** The text of messages of servers that don't mention the bot. */
const messageContent = 1 << 15;
const intentsOf = {
  none: directMessages,
  addressed: directMessages | serverMessages,
  all: directMessages | serverMessages | messageContent,
} as const satisfies Record<ChannelSettings['groups'], number>;

/** With any code but 1000 and 1001, Discord keeps the session for a few minutes. */
const keepSession = 4_000;

/** Attempts to resume a session before a new one is begun. */
const maxResumes = 8;

/** Receives events over one connection until that ends: then it throws why. */
export async function receive(inbox: ChannelInbox, options: ReceiveOptions): Promise<void> {
  const { api, token, groups, signal, status } = options;
  let { session, seenMs } = (inbox.position ?? {}) as Position;
  const take = (...events: RawEvent[]): Promise<void> => inbox.take(events, { session, seenMs });
  const forget = async (): Promise<void> => {
    session = undefined;
    await take();
  };
  if (status.failures >= maxResumes) await forget();
  const properties = { os: 'node', browser: 'pegboard', device: 'pegboard' };
  const greeting = session
    ? { op: ops.resume, d: { token, session_id: session.id, seq: session.sequence } }
    : { op: ops.identify, d: { token, intents: intentsOf[groups], properties } };
  const beat = (): object => ({ op: ops.heartbeat, d: session?.sequence ?? null });

  const { url } = session ?? (await api.call<{ readonly url: string }>('GET', '/gateway/bot', { signal }));
  const address = `${url.replace(/\/$/, '')}/?v=10&encoding=json`;
  using socket = openJsonSocket(address, { signal, closeCode: keepSession });
  const receiveEvent = async ({ t, s, d }: Payload): Promise<void> => {
    if (t === 'READY') {
      const { session_id: id, resume_gateway_url: resumeUrl } = d as GatewayReadyDispatchData;
      await inbox.catchUp(seenMs, socket.ended);
      // Only now it counts as begun: if this is interrupted, the next one catches up too.
      session = { id, url: resumeUrl, sequence: s };
      await take();
    } else {
      session = { ...session!, sequence: s };
      if (t === 'MESSAGE_CREATE') seenMs = Math.max(seenMs ?? 0, timeOf((d as Message).id));
      await take({ id: idOf(t, d ?? {}) ?? `${session.id}/${s}`, body: { t, d } });
    }
    if (t === 'INTERACTION_CREATE') confirmCommand(api, d as APIInteraction);
    if (t === 'READY' || t === 'RESUMED') status.working();
  };
  try {
    for await (const payload of socket as AsyncIterable<Payload>) {
      switch (payload.op) {
        case ops.hello:
          socket.keepAlive(payload.d.heartbeat_interval as number, beat);
          socket.send(greeting);
          break;
        case ops.event:
          await receiveEvent(payload);
          break;
        case ops.heartbeat:
          socket.send(beat());
          break;
        case ops.reconnect:
          throw new ChannelFailure('busy', 'asks to connect again', { seconds: 0 });
        case ops.invalidSession:
          if (payload.d !== true) await forget();
          // Discord allows 1,000 new ones a day.
          throw new ChannelFailure('busy', 'the session is over', { seconds: 2 });
      }
    }
  } catch (thrown) {
    if (!socket.ended.aborted) throw thrown;
  }
  signal.throwIfAborted();
  if (isOver.has(socket.code ?? 0)) await forget();
  throw endOf(socket.code);
}

/** The same when an event is delivered again. Undefined: only its number tells it from others. */
const idOf = (t: string, { id, edited_timestamp: editedAt }: Partial<Message>): string | undefined =>
  t === 'MESSAGE_UPDATE' ? `${id}@${editedAt}` : id;

/** Codes after which a session can't be resumed. */
const isOver: ReadonlySet<number> = new Set([1000, 4003, 4004, 4007, 4009]);
const unknownToken = 4004;
const noContentIntent = 4014;
/** Only the owner can mend it, and Discord counts the attempts. */
const longPause = { seconds: 30 };

/** Why Discord has closed a connection with this code. */
function endOf(code: number | undefined): ChannelFailure {
  const reason = `ends the connections of this bot (${code ?? 'without a reason'})`;
  if (code === unknownToken) return new ChannelFailure('refused', reason, { status: 401, ...longPause });
  if (code !== noContentIntent)
    return new ChannelFailure('unknown', reason, { trouble: { message: reason } });
  const trouble = {
    message: 'does not let this bot read the messages of servers',
    fix: `turn on the Message Content Intent under discord.com/developers/applications, Bot, or remove groups: all`,
  };
  return new ChannelFailure('refused', reason, { trouble, ...longPause });
}
