import { setTimeout as delay } from 'node:timers/promises';
import type { ChannelInbox, ConnectionStatus, Logger, RawEvent } from 'pegboard';
import type { ChannelSettings } from 'pegboard/channels';
import type { DiscordApi } from '../discord-api.ts';
import { pauseAfter, refusedPauseMs, troubleOf, unknownToken, type Trouble } from '../failure.ts';
import { isWanted } from '../incoming/read-event.ts';
import { portal } from '../token.ts';
import { interactionTypes, type GatewayEvent, type Interaction, type Message, type Ready } from '../wire.ts';
import { advanced, catchUp } from './catch-up.ts';
import { connect, identify, resume, type ConnectionEnd, type Dispatch } from './connection.ts';
import { readPosition, writePosition } from './position.ts';

export interface ReceiveOptions {
  readonly api: DiscordApi;
  readonly inbox: ChannelInbox;
  readonly groups: ChannelSettings['groups'];
  readonly startedAt: number;
  readonly signal: AbortSignal;
  readonly status: ConnectionStatus;
  readonly log: Logger;
}

/** discord.com/developers/docs/events/gateway#gateway-intents */
const intents = {
  guildMessages: 1 << 9,
  guildReactions: 1 << 10,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
  /** The text of messages of servers that don't mention the bot. */
  messageContent: 1 << 15,
};
const { directMessages, directReactions, guildMessages, guildReactions, messageContent } = intents;
const intentsOf = {
  none: directMessages | directReactions,
  addressed: directMessages | directReactions | guildMessages | guildReactions,
  all: directMessages | directReactions | guildMessages | guildReactions | messageContent,
} as const satisfies Record<ChannelSettings['groups'], number>;

/** Milliseconds between two connections, at first and at most. */
const firstPauseMs = 500;
const maxPauseMs = 8_000;
/** Before a new session, of which Discord allows 1,000 a day. */
const newSessionPauseMs = 2_000;
/** Attempts to resume a session before a new one is begun. */
const maxResumes = 8;

/** Why Discord closes a connection for good. */
const troubles: { readonly [code: number]: Trouble } = {
  4004: unknownToken,
  4014: {
    message: 'does not let this bot read the messages of servers',
    fix: `turn on the Message Content Intent under ${portal}, Bot, or remove groups: all`,
  },
};

/** Receives events until `signal` aborts, through all that connections go through. Rejects when they can't be stored. */
export async function receive(options: ReceiveOptions): Promise<void> {
  const { api, inbox, groups, startedAt, signal, status, log } = options;
  const position = readPosition(inbox.position);
  let isChanged = false;
  let failures = 0;
  const save = async (events: readonly RawEvent[]): Promise<void> => {
    isChanged = false;
    await inbox.take(events, writePosition(position));
  };
  const take = async (events: readonly (GatewayEvent & { readonly key: string })[]): Promise<void> => {
    const wanted = events.filter((event) => isWanted(event, { bot: api.bot, groups }));
    for (const event of events) {
      isChanged = true;
      if (event.t !== 'MESSAGE_CREATE') continue;
      const { channel_id: channel, guild_id: guild } = event.d;
      // A server has many chats in which nobody addresses the bot.
      if (guild === undefined || position.places.has(channel) || wanted.includes(event))
        position.places.set(channel, advanced(position.places.get(channel), event.d));
    }
    if (wanted.length > 0) await save(wanted.map(({ key, t, d }) => ({ id: key, body: { t, d } })));
  };
  const begin = async (ready: Ready, sequence: number, ending: AbortSignal): Promise<void> => {
    const { session_id: id, resume_gateway_url: url } = ready;
    const fetched = (messages: readonly Message[]): Promise<void> =>
      take(messages.map((d) => ({ t: 'MESSAGE_CREATE', d, key: d.id })));
    // Only then it counts as begun: if this is interrupted, the next one fetches too.
    const people = (): Promise<readonly string[]> => inbox.people();
    await catchUp({ api, people, position, startedAt, take: fetched, signal: ending });
    position.session = { id, url, sequence };
    await save([]);
  };
  const onEvent = async ({ t, s, d }: Dispatch, ending: AbortSignal): Promise<void> => {
    if (t === 'READY') await begin(d as Ready, s, ending);
    if (t === 'READY' || t === 'RESUMED') {
      failures = 0;
      status.working();
    }
    if (position.session) position.session = { ...position.session, sequence: s };
    const event = toEvent({ t, s, d }, position.session?.id ?? '');
    if (event) await take([event]);
    else isChanged = true;
    if (event?.t === 'INTERACTION_CREATE') confirmCommand(event.d, api);
  };
  const onPause = async (): Promise<void> => {
    if (isChanged) await save([]);
  };

  const connectOnce = async (): Promise<ConnectionEnd | undefined> => {
    const { session } = position;
    const { token } = api;
    const of = { onEvent, onPause, signal };
    if (session) {
      const d = { token, session_id: session.id, seq: session.sequence };
      return await connect({
        ...of,
        url: session.url,
        sequence: session.sequence,
        greeting: { op: resume, d },
      });
    }
    const url = await gatewayUrl(options);
    if (url === undefined) return undefined;
    const properties = { os: 'node', browser: 'pegboard', device: 'pegboard' };
    const greeting = { op: identify, d: { token, intents: intentsOf[groups], properties } };
    return await connect({ ...of, url, sequence: null, greeting });
  };

  /** Milliseconds to wait before the next connection. */
  const recover = ({ code, isOver }: ConnectionEnd): number => {
    failures++;
    if (isOver || failures > maxResumes) position.session = undefined;
    const trouble = code === undefined ? undefined : troubles[code];
    if (trouble) status.failing(trouble.message, trouble.fix);
    else if (failures > 2) status.failing(`ends the connections of this bot (${code ?? 'without a reason'})`);
    const shortest = trouble ? refusedPauseMs : isOver ? newSessionPauseMs : 0;
    log.debug('the connection to Discord has ended', { code, isOver, failures });
    return Math.max(shortest, Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs));
  };
  try {
    while (!signal.aborted) {
      const ended = await connectOnce();
      if (ended && !signal.aborted) await delay(recover(ended), undefined, { signal }).catch(() => {});
    }
  } finally {
    await onPause().catch(() => {});
  }
}

/** Undefined, after saying so: Discord doesn't say where its gateway is. */
async function gatewayUrl({ api, signal, status }: ReceiveOptions): Promise<string | undefined> {
  try {
    return (await api.call<{ readonly url: string }>('GET', '/gateway/bot', { signal })).url;
  } catch (thrown) {
    if (signal.aborted) return undefined;
    const { message, fix } = troubleOf(thrown);
    status.failing(message, fix);
    await delay(pauseAfter(thrown), undefined, { signal }).catch(() => {});
    return undefined;
  }
}

/** Undefined: no event that matters. */
function toEvent(
  { t, s, d }: Dispatch,
  session: string,
): (GatewayEvent & { readonly key: string }) | undefined {
  switch (t) {
    case 'MESSAGE_CREATE':
      return { t, d: d as Message, key: (d as Message).id };
    case 'MESSAGE_UPDATE': {
      const { id, edited_timestamp: at } = d as Message;
      return { t, d: d as Message, key: `${id}@${at}` };
    }
    case 'INTERACTION_CREATE':
      return { t, d: d as Interaction, key: (d as Interaction).id };
    case 'MESSAGE_REACTION_ADD':
      // Discord gives it no id, but the same number when it is delivered again.
      return { t, d: d as Extract<GatewayEvent, { t: typeof t }>['d'], key: `${session}/${s}` };
  }
  return undefined;
}

/** Discord shows that a command has failed where none of this arrives within three seconds. */
function confirmCommand({ id, token, type, data }: Interaction, api: DiscordApi): void {
  if (type !== interactionTypes.command) return;
  const body = { type: 4, data: { content: `/${data?.name}`, flags: 64 } };
  // It may be an old one, which was delivered again.
  api.call('POST', `/interactions/${id}/${token}/callback`, { body }).catch(() => {});
}
