import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkCommands, checkMessage, invalid, Refusal } from './check-message.ts';
import { createFakeGateway, intents, type FakeGateway } from './fake-gateway.ts';
import { acceptWebSockets } from './web-socket-server.ts';

export interface FakeUser {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  readonly bot?: true;
}

interface FakeAttachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly content_type?: string;
}

/** A message in its current state, whoever wrote it. */
export interface FakeMessage {
  readonly chat: string;
  readonly id: string;
  readonly author: FakeUser;
  text: string;
  buttons: readonly { readonly label: string; readonly custom_id?: string; readonly url?: string }[];
  readonly edits: string[];
  readonly attachments: readonly FakeAttachment[];
  readonly replyTo?: string;
  readonly nonce?: string;
  /** It would have notified people beyond the chat. */
  readonly pings: boolean;
  /** Further members, as Discord has them. */
  readonly more: { readonly [member: string]: unknown };
  editedAt?: string;
  deleted?: true;
}

interface FakeCall {
  /** "POST /channels/123/messages" */
  readonly route: string;
  readonly body: any;
}

/** What happens to a call instead of a response. `cut-after`: it takes effect, but the response is lost. */
type FakeFault =
  | 'cut'
  | 'cut-after'
  | { readonly status: number; readonly retryAfter?: number; readonly global?: boolean }
  /** The response of a proxy in front of Discord. */
  | { readonly status: number; readonly html: string };

interface WriteOptions {
  /** A channel of a server. Default: the private chat with the bot. */
  readonly chat?: string;
  readonly replyTo?: string;
  readonly files?: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[];
  readonly more?: { readonly [member: string]: unknown };
}

export interface FakeDiscord extends AsyncDisposable {
  /** For DISCORD_API_ROOT. */
  readonly root: string;
  readonly token: string;
  /** From now on, another one is the bot's. */
  renewToken(): void;
  readonly bot: FakeUser;
  readonly gateway: FakeGateway;
  readonly calls: readonly FakeCall[];
  readonly messages: readonly FakeMessage[];
  readonly commands: readonly { readonly name: string }[];
  /** The id of the private chat between a person and the bot. */
  chatOf(person: FakeUser): string;
  /** A channel or thread of a server. */
  addChannel(): string;
  /** The bot's messages in a chat, without deleted ones, in order. */
  sentTo(chat: string): readonly FakeMessage[];
  /** Somebody writes. Returns the message's id. */
  write(from: FakeUser, text: string, options?: WriteOptions): string;
  edit(message: string, text: string): void;
  react(from: FakeUser, message: string, emoji: string): void;
  /** Presses the button with this label. Returns the interaction's id. */
  press(from: FakeUser, message: string, label: string): string;
  /** Picks one of the bot's commands. Returns the interaction's id. */
  command(from: FakeUser, name: string, words?: string): string;
  /** The bot's answer to an interaction; undefined: none yet. */
  answerTo(
    interaction: string,
  ): { readonly type: number; readonly data?: { readonly content: string } } | undefined;
  /** Delivers the last message again. */
  repeat(): void;
  /** Resolves when the bot has handled everything that was sent to it. */
  handled(): Promise<void>;
  /** Of the application: whether it may use the Message Content Intent. */
  allowsContent: boolean;
  heartbeatMs: number;
  /** Makes the next calls whose route begins so fail, `times` times, or until undone. */
  fail(route: string, fault: FakeFault, times?: number): Disposable;
  down(): Promise<void>;
  up(): Promise<void>;
  /** Called for each call when its response is sent. */
  onAnswer(listener: (call: FakeCall) => void): void;
  /** Resolves with the first defined result of `find`, which is called again after each event. */
  until<T>(find: () => T | undefined | false): Promise<T>;
}

export const anna: FakeUser = { id: '300000000000001001', username: 'anna', global_name: 'Anna' };
export const ben: FakeUser = { id: '300000000000001002', username: 'ben', global_name: null };
const guild = '200000000000000001';
const applicationId = '400000000000000002';
const epochMs = 1_420_070_400_000;
const maxUploadBytes = 10 * 1024 * 1024;

/**
 * Discord's HTTP API and gateway in this process, as strict as the real ones where mistakes are easy: the forms of
 * requests, lengths, who may edit what, interactions that are answered once, nonces, what is delivered again and what is
 * not, and which texts a bot sees.
 */
export async function startFakeDiscord(botId = '400000000000000001'): Promise<FakeDiscord> {
  const bot: FakeUser = { id: botId, username: 'peg', global_name: null, bot: true };
  const tokenOf = (signature: string): string =>
    `${Buffer.from(botId).toString('base64url')}.Fake01.${signature.repeat(27)}`;
  let token = tokenOf('x');
  const calls: FakeCall[] = [];
  const messages: FakeMessage[] = [];
  /** The private chats by person, and channels of the server. */
  const chats = new Map<string, { readonly person?: string }>();
  const contents = new Map<string, Buffer>();
  const interactions = new Map<string, { readonly token: string; answer?: any }>();
  const faults: { readonly route: string; readonly fault: FakeFault; left: number }[] = [];
  const listeners: ((call: FakeCall) => void)[] = [];
  const news = new EventTarget();
  const tell = (): void => void news.dispatchEvent(new Event('news'));
  let commands: readonly { readonly name: string }[] = [];
  let last: (() => void) | undefined;
  let counter = 0;
  const newId = (): string => String((BigInt(Date.now() - epochMs) << 22n) + BigInt(counter++ % 4_096));

  const until = async (find: () => any): Promise<any> => {
    for (;;) {
      const found = find() as unknown;
      if (found !== undefined && found !== false) return found;
      await once(news, 'news');
    }
  };
  const isPrivate = (chat: string): boolean => chats.get(chat)?.person !== undefined;
  const chatOf = ({ id: person }: Pick<FakeUser, 'id'>): string => {
    const found = [...chats].find(([, one]) => one.person === person);
    if (found) return found[0];
    const id = newId();
    chats.set(id, { person });
    return id;
  };
  const messageOf = (chat: string, id: string): FakeMessage => {
    if (!chats.has(chat)) throw new Refusal(404, 10_003, 'Unknown Channel');
    const found = messages.find((one) => one.chat === chat && one.id === id && !one.deleted);
    if (!found) throw new Refusal(404, 10_008, 'Unknown Message');
    return found;
  };

  /** As Discord shows it to the bot. */
  const toWire = (message: FakeMessage, depth = 0): { readonly [member: string]: any } => {
    const { chat, id, author, text, buttons, attachments, replyTo, more, editedAt } = message;
    const answered = messages.find((one) => one.chat === chat && one.id === replyTo && !one.deleted);
    const named = [...text.matchAll(/<@!?(\d+)>/g)].map(([, user]) => user);
    const people = [anna, ben, bot].filter(
      (user) => named.includes(user.id) || answered?.author.id === user.id,
    );
    const mentions = (more['mentions'] as readonly FakeUser[] | undefined) ?? (author.bot ? [] : people);
    const isShown =
      isPrivate(chat) ||
      author.id === bot.id ||
      mentions.some((user) => user.id === bot.id) ||
      ((self.gateway.session?.intents ?? 0) & intents.messageContent) !== 0;
    const rows = buttons.map((button) => ({ type: 2, ...button }));
    return {
      id,
      channel_id: chat,
      type: replyTo === undefined ? 0 : 19,
      author,
      content: isShown ? text : '',
      timestamp: new Date().toISOString(),
      edited_timestamp: editedAt ?? null,
      tts: false,
      mention_everyone: false,
      mentions,
      mention_roles: [],
      attachments: isShown
        ? attachments.map((one) => ({
            ...one,
            url: `${self.root}/files/${one.id}?ex=${counter}`,
            proxy_url: '',
          }))
        : [],
      embeds: [],
      pinned: false,
      ...(isShown && { components: rows.length > 0 ? [{ type: 1, components: rows }] : [] }),
      ...(replyTo !== undefined && { message_reference: { type: 0, message_id: replyTo, channel_id: chat } }),
      ...(replyTo !== undefined &&
        depth === 0 && { referenced_message: answered ? toWire(answered, 1) : null }),
      ...more,
    };
  };
  const memberOf = (user: FakeUser): object => ({ user, roles: [], joined_at: '2026-01-01T00:00:00Z' });
  const inServer = (chat: string, user: FakeUser): object =>
    isPrivate(chat) ? {} : { guild_id: guild, member: memberOf(user) };
  const tellGateway = (t: string, message: FakeMessage): void => {
    const { chat, author } = message;
    const intent = isPrivate(chat) ? intents.directMessages : intents.guildMessages;
    const { nonce } = message;
    const d = { ...toWire(message), ...inServer(chat, author), ...(nonce !== undefined && { nonce }) };
    self.gateway.dispatch(t, d, intent);
    if (t === 'MESSAGE_CREATE' && !author.bot) last = () => self.gateway.dispatch(t, d, intent);
    tell();
  };

  const create = (chat: string, body: any, files: readonly File[], bytes: readonly Buffer[]): object => {
    if (!chats.has(chat)) throw new Refusal(404, 10_003, 'Unknown Channel');
    checkMessage(
      body,
      files.map(({ name }) => name),
    );
    if (bytes.reduce((sum, { length }) => sum + length, 0) > maxUploadBytes)
      throw new Refusal(413, 40_005, 'Request entity too large');
    const {
      content = '',
      components = [],
      nonce,
      enforce_nonce: isOnce,
      message_reference: reference,
    } = body;
    if (content.trim() === '' && files.length === 0)
      throw new Refusal(400, 50_006, 'Cannot send an empty message');
    const twin = isOnce && messages.find((one) => one.nonce === nonce && one.author.id === bot.id);
    if (twin) return toWire(twin);
    const replyTo = reference?.message_id as string | undefined;
    const isThere = messages.some((one) => one.chat === chat && one.id === replyTo && !one.deleted);
    if (replyTo !== undefined && !isThere && reference.fail_if_not_exists !== false)
      throw invalid('message_reference', 'Unknown message');
    const attachments = files.map((file, index): FakeAttachment => {
      const id = newId();
      contents.set(id, bytes[index]!);
      return { id, filename: file.name, size: file.size, content_type: file.type };
    });
    const message: FakeMessage = {
      chat,
      id: newId(),
      author: bot,
      text: content.trim(),
      buttons: components.flatMap((row: any) => row.components),
      edits: [],
      attachments,
      ...(isThere && { replyTo: replyTo! }),
      ...(nonce !== undefined && { nonce }),
      pings: /@everyone|@here|<@/.test(content) && !body.allowed_mentions,
      more: {},
    };
    messages.push(message);
    tellGateway('MESSAGE_CREATE', message);
    return toWire(message);
  };

  const change = (chat: string, id: string, body: any): object => {
    const message = messageOf(chat, id);
    if (message.author.id !== bot.id)
      throw new Refusal(403, 50_005, 'Cannot edit a message authored by another user');
    checkMessage(body);
    const { content, components } = body;
    if (content !== undefined) {
      if (content.trim() === '') throw new Refusal(400, 50_006, 'Cannot send an empty message');
      if (content.trim() !== message.text) message.edits.push(message.text);
      message.text = content.trim();
    }
    if (components !== undefined) message.buttons = components.flatMap((row: any) => row.components);
    message.editedAt = new Date().toISOString();
    tellGateway('MESSAGE_UPDATE', message);
    return toWire(message);
  };

  const history = (chat: string, query: URLSearchParams): object => {
    if (!chats.has(chat)) throw new Refusal(404, 10_003, 'Unknown Channel');
    const limit = Number(query.get('limit') ?? 50);
    const after = query.get('after');
    if (!(limit >= 1 && limit <= 100)) throw invalid('limit', 'between 1 and 100');
    if (after !== null && !/^\d{1,20}$/.test(after)) throw invalid('after', 'not a snowflake');
    const all = messages.filter((one) => one.chat === chat && !one.deleted);
    const found =
      after === null ? all.slice(-limit) : all.filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, limit);
    return found.toReversed().map((one) => toWire(one));
  };

  interface Request {
    readonly ids: readonly string[];
    readonly body: any;
    readonly query: URLSearchParams;
    readonly files: readonly File[];
    readonly bytes: readonly Buffer[];
  }
  const routes: readonly (readonly [string, (request: Request) => unknown])[] = [
    ['GET /users/@me', () => bot],
    ['GET /applications/@me', () => ({ id: applicationId, name: 'Peg', bot })],
    [
      'GET /gateway/bot',
      () => ({
        url: gatewayUrl(),
        shards: 1,
        session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
      }),
    ],
    [
      'POST /users/@me/channels',
      ({ body }) => {
        const user = [anna, ben].find(({ id }) => id === body?.recipient_id);
        if (!user) throw new Refusal(400, 50_033, 'Invalid Recipient(s)');
        return { id: chatOf(user), type: 1, recipients: [user] };
      },
    ],
    [
      'PUT /applications/*/commands',
      ({ body, ids: [application] }) => {
        if (application !== applicationId) throw new Refusal(404, 10_002, 'Unknown Application');
        checkCommands(body);
        return (commands = body as typeof commands);
      },
    ],
    ['GET /channels/*/messages', ({ ids: [chat], query }) => history(chat!, query)],
    ['GET /channels/*/messages/*', ({ ids: [chat, id] }) => toWire(messageOf(chat!, id!))],
    ['POST /channels/*/messages', ({ ids: [chat], body, files, bytes }) => create(chat!, body, files, bytes)],
    ['PATCH /channels/*/messages/*', ({ ids: [chat, id], body }) => change(chat!, id!, body)],
    [
      'DELETE /channels/*/messages/*',
      ({ ids: [chat, id] }) => {
        messageOf(chat!, id!).deleted = true;
      },
    ],
    [
      'POST /channels/*/typing',
      ({ ids: [chat] }) => {
        if (!chats.has(chat!)) throw new Refusal(404, 10_003, 'Unknown Channel');
      },
    ],
    [
      'POST /interactions/*/*/callback',
      ({ ids: [id, secret], body }) => {
        const found = interactions.get(id!);
        if (!found || found.token !== secret) throw new Refusal(404, 10_062, 'Unknown interaction');
        if (found.answer) throw new Refusal(400, 40_060, 'Interaction has already been acknowledged.');
        if (![4, 6].includes(body?.type)) throw invalid('type', 'not a callback type');
        if (body.type === 4 && !(body.data?.content?.length > 0 && body.data.content.length <= 2000))
          throw invalid('content', 'Must be between 1 and 2000 in length.');
        found.answer = body;
      },
    ],
  ];

  const answer = async (
    request: IncomingMessage,
    call: FakeCall,
    form: FormData | undefined,
  ): Promise<unknown> => {
    const { headers } = request;
    if (!/^DiscordBot \(https?:\S+, \S+\)/.test(headers['user-agent'] ?? ''))
      throw new Refusal(400, 0, 'no user agent of a bot');
    if (headers.authorization !== `Bot ${token}`) throw new Refusal(401, 0, '401: Unauthorized');
    const url = new URL(request.url!, 'http://localhost');
    const parts = call.route.split('/');
    for (const [route, run] of routes) {
      const wanted = route.split('/');
      if (wanted.length !== parts.length) continue;
      if (!wanted.every((part, index) => part === '*' || part === parts[index])) continue;
      const ids = parts.filter((_, index) => wanted[index] === '*');
      const files = [...(form ?? new FormData()).entries()].flatMap(([name, value]) =>
        value instanceof File && /^files\[\d\]$/.test(name) ? [value] : [],
      );
      const bytes = await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer())));
      return run({ ids, body: call.body, query: url.searchParams, files, bytes });
    }
    throw new Refusal(404, 0, '404: Not Found');
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url!.split('?')[0]!;
    if (path.startsWith('/files/')) return void response.end(contents.get(path.slice('/files/'.length)));
    const raw = Buffer.concat(await request.toArray());
    const type = request.headers['content-type'] ?? '';
    const form = type.startsWith('multipart/')
      ? await new Response(raw, { headers: { 'content-type': type } }).formData()
      : undefined;
    const text = form ? (form.get('payload_json') as string) : raw.toString();
    const body = text === '' ? undefined : (JSON.parse(text) as unknown);
    const call: FakeCall = { route: `${request.method} ${path}`, body };
    calls.push(call);
    tell();
    const fault = faults.find((one) => one.left > 0 && call.route.startsWith(one.route));
    if (fault) fault.left--;
    const what = fault?.fault;
    if (what === 'cut') return void response.destroy();
    if (typeof what === 'object') return sendFault(response, what);
    const [status, json] = await answer(request, call, form).then(
      (result) => [result === undefined ? 204 : 200, result] as const,
      (thrown: unknown) => {
        if (!(thrown instanceof Refusal)) throw thrown;
        const { status, code, message, more } = thrown;
        return [status, { message, code, ...more }] as const;
      },
    );
    tell();
    if (what === 'cut-after') return void response.destroy();
    for (const listener of listeners) listener(call);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(json === undefined ? '' : JSON.stringify(json));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((thrown: unknown) => {
      if (!response.destroyed) response.writeHead(500).end(String(thrown));
    });
  });
  acceptWebSockets(server, (socket) => self.gateway.accept(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gatewayUrl = (): string => `ws://127.0.0.1:${port}`;
  const down = async (): Promise<void> => {
    if (!server.listening) return;
    self.gateway.cut();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const interact = (from: FakeUser, chat: string, type: number, members: object): string => {
    const id = newId();
    const secret = `aW50ZXJhY3Rpb24${id}`;
    interactions.set(id, { token: secret });
    const who = isPrivate(chat) ? { user: from } : { guild_id: guild, member: memberOf(from) };
    const d = {
      id,
      application_id: bot.id,
      type,
      token: secret,
      version: 1,
      channel_id: chat,
      ...who,
      ...members,
    };
    self.gateway.dispatch('INTERACTION_CREATE', d);
    return id;
  };

  const self: FakeDiscord = {
    root: `http://127.0.0.1:${port}`,
    get token() {
      return token;
    },
    renewToken() {
      token = tokenOf('y');
    },
    bot,
    gateway: createFakeGateway({
      token: () => token,
      bot,
      url: gatewayUrl,
      heartbeatMs: () => self.heartbeatMs,
      allowsContent: () => self.allowsContent,
      tell,
    }),
    calls,
    messages,
    get commands() {
      return commands;
    },
    chatOf,
    addChannel() {
      const id = newId();
      chats.set(id, {});
      return id;
    },
    sentTo: (chat) => messages.filter((one) => one.chat === chat && one.author === bot && !one.deleted),
    write(author, text, { chat = chatOf(author), replyTo, files = [], more = {} } = {}) {
      const attachments = files.map(({ name, type, bytes }): FakeAttachment => {
        const id = newId();
        contents.set(id, bytes);
        return { id, filename: name, size: bytes.length, content_type: type };
      });
      const id = newId();
      const answered = replyTo === undefined ? {} : { replyTo };
      const message: FakeMessage = {
        chat,
        id,
        author,
        text,
        buttons: [],
        edits: [],
        attachments,
        ...answered,
        pings: false,
        more,
      };
      messages.push(message);
      tellGateway('MESSAGE_CREATE', message);
      return id;
    },
    edit(id, text) {
      const message = messages.find((one) => one.id === id)!;
      Object.assign(message, { text, editedAt: new Date().toISOString() });
      tellGateway('MESSAGE_UPDATE', message);
    },
    react(from, id, emoji) {
      const { chat, author } = messages.find((one) => one.id === id)!;
      const d = {
        user_id: from.id,
        channel_id: chat,
        message_id: id,
        ...inServer(chat, from),
        message_author_id: author.id,
        emoji: { id: null, name: emoji },
        burst: false,
        type: 0,
      };
      const intent = isPrivate(chat) ? intents.directReactions : intents.guildReactions;
      self.gateway.dispatch('MESSAGE_REACTION_ADD', d, intent);
    },
    press(from, id, label) {
      const message = messages.find((one) => one.id === id)!;
      const button = message.buttons.find((one) => one.label === label);
      const data = { component_type: 2, custom_id: button?.custom_id ?? label };
      return interact(from, message.chat, 3, { data, message: toWire(message) });
    },
    command(from, name, words) {
      const options = words === undefined ? [] : [{ type: 3, name: 'words', value: words }];
      return interact(from, chatOf(from), 2, { data: { id: newId(), name, type: 1, options } });
    },
    answerTo: (interaction) => interactions.get(interaction)?.answer,
    repeat() {
      last!();
    },
    async handled() {
      await until(() => {
        const { session } = self.gateway;
        if (session?.socket && session.acknowledged === session.events.length) return true;
        // It may be handling the last ones.
        setTimeout(() => self.gateway.askForHeartbeat(), 10);
        return false;
      });
    },
    allowsContent: true,
    heartbeatMs: 45_000,
    fail(route, fault, times = Number.POSITIVE_INFINITY) {
      const entry = { route, fault, left: times };
      faults.push(entry);
      return { [Symbol.dispose]: () => void (entry.left = 0) };
    },
    down,
    async up() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    onAnswer: (listener) => void listeners.push(listener),
    until,
    [Symbol.asyncDispose]: down,
  };
  return self;
}

function sendFault(response: ServerResponse, fault: Exclude<FakeFault, string>): void {
  if ('html' in fault)
    return void response.writeHead(fault.status, { 'content-type': 'text/html' }).end(fault.html);
  const { status, retryAfter, global = false } = fault;
  const limited = { message: 'You are being rate limited.', retry_after: retryAfter, global };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(status === 429 ? limited : { message: `scripted ${status}`, code: 0 }));
}
