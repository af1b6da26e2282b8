import type { ChannelInbox, ConnectionStatus } from 'pegboard';
import { ChannelFailure, openJsonSocket, type ChannelSettings, type JsonApi } from 'pegboard/channels';
import { openSession, type Dispatch } from './session.ts';

export interface ReceiveOptions {
  readonly api: JsonApi;
  readonly token: string;
  readonly groups: ChannelSettings['groups'];
  readonly inbox: ChannelInbox;
  readonly signal: AbortSignal;
  readonly status: ConnectionStatus;
}

type Payload = Dispatch & { readonly op: number; readonly d: any };

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
export async function receive({ api, token, groups, inbox, signal, status }: ReceiveOptions): Promise<void> {
  const session = openSession(api, inbox);
  if (status.failures >= maxResumes) await session.forget();
  const { resumed } = session;
  let sequence = resumed?.sequence ?? null;
  const properties = { os: 'node', browser: 'pegboard', device: 'pegboard' };
  const greeting = resumed
    ? { op: ops.resume, d: { token, session_id: resumed.id, seq: sequence } }
    : { op: ops.identify, d: { token, intents: intentsOf[groups], properties } };
  const beat = (): object => ({ op: ops.heartbeat, d: sequence });

  const { url } = resumed ?? (await api.call<{ readonly url: string }>('GET', '/gateway/bot', { signal }));
  const address = `${url.replace(/\/$/, '')}/?v=10&encoding=json`;
  using socket = openJsonSocket(address, { signal, closeCode: keepSession });
  try {
    for await (const { op, t, s, d } of socket as AsyncIterable<Payload>) {
      switch (op) {
        case ops.hello:
          socket.keepAlive(d.heartbeat_interval as number, beat);
          socket.send(greeting);
          break;
        case ops.event:
          await session.take({ t, s, d }, socket.ended);
          sequence = s;
          if (t === 'READY' || t === 'RESUMED') status.working();
          break;
        case ops.heartbeat:
          socket.send(beat());
          break;
        case ops.reconnect:
          throw new ChannelFailure('busy', 'asks to connect again', { seconds: 0 });
        case ops.invalidSession:
          if (d !== true) await session.forget();
          // Discord allows 1,000 new ones a day.
          throw new ChannelFailure('busy', 'the session is over', { seconds: 2 });
      }
    }
  } catch (thrown) {
    if (!socket.ended.aborted) throw thrown;
  }
  signal.throwIfAborted();
  if (isOver.has(socket.code ?? 0)) await session.forget();
  throw endOf(socket.code);
}

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
