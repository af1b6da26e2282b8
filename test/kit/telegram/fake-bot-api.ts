import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reactions } from '../../../plugins/builtin-telegram/tools/reactions.ts';
import { HtmlError, isVisible, parseTelegramHtml, type ParsedHtml } from './fake-bot-api-html.ts';

export interface FakeUser {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly username?: string;
}

/** A message in its current state, whoever wrote it. */
export interface FakeMessage {
  readonly chat: number;
  readonly id: number;
  readonly thread?: number;
  readonly from: FakeUser;
  text: string;
  /** The tags of its text. */
  entities: ParsedHtml['entities'];
  readonly replyTo?: number;
  /** Labels and data of its inline buttons, row by row. */
  buttons: readonly { readonly text: string; readonly data?: string; readonly url?: string }[];
  /** Its previous texts. */
  readonly edits: string[];
  /** The bot's reaction. */
  reaction?: string;
  deleted?: true;
  readonly forcesReply?: true;
  /** A photo, document or voice message that the bot sent. */
  readonly file?: {
    readonly kind: 'photo' | 'document' | 'voice';
    readonly name: string;
    readonly bytes: Buffer;
  };
}

export interface FakeCall {
  readonly method: string;
  readonly params: { readonly [name: string]: any };
}

/** What happens to a call instead of a response. `cut-after`: it takes effect, but the response is lost. */
export type FakeFault =
  | 'hang'
  | 'cut'
  | 'cut-after'
  | { readonly status: number; readonly description?: string; readonly retryAfter?: number }
  /** The response of a proxy in front of Telegram. */
  | { readonly status: number; readonly html: string };

export interface FakeBotApi extends AsyncDisposable {
  /** For TELEGRAM_API_ROOT. */
  readonly root: string;
  readonly token: string;
  /** From now on, another one is the bot's. */
  renewToken(): void;
  readonly bot: FakeUser;
  readonly calls: readonly FakeCall[];
  readonly messages: readonly FakeMessage[];
  /** The bot's messages in a chat, without deleted ones, in order. */
  sentTo(chat: number): readonly FakeMessage[];
  /** Updates that have not been confirmed yet. */
  readonly pending: number;
  readonly commands: readonly { readonly command: string; readonly description: string }[];
  readonly pinned: ReadonlyMap<number, readonly number[]>;

  /** A group chat with the bot. `topics`: ids of its forum's topics. */
  addGroup(id: number, title: string, options?: { readonly topics?: readonly number[] }): void;
  /** Adds a file that users can send; returns its id. */
  addFile(bytes: Buffer, options?: { readonly size?: number }): string;
  /** A user writes. Returns the message's id. `fields` are those of Telegram's Message. */
  write(from: FakeUser, text: string | undefined, fields?: object): number;
  edit(message: number, text: string): void;
  react(from: FakeUser, message: number, emoji: string | undefined): void;
  /** Presses the button with this label, or sends this data if no button has it. Returns the query's id. */
  press(from: FakeUser, message: number, button: string): string;
  /** Delivers the last update again. */
  repeat(): void;
  /** The answer to a press; undefined: not answered yet. */
  answerTo(query: string): string | undefined;

  /** Makes the next calls of the method ("*": any) fail, `times` times, or until undone. */
  fail(method: string, fault: FakeFault, times?: number): Disposable;
  /** The person blocks the bot, or a group excludes it, until undone. Telegram tells the bot of both. */
  block(chat: number): Disposable;
  /** A group becomes a supergroup with another id, of which Telegram tells the bot unless it is `silent`. */
  upgrade(from: number, to: number, options?: { readonly silent: boolean }): void;
  /** Stops listening: connections are refused. */
  down(): Promise<void>;
  /** Listens again on the same port. */
  up(): Promise<void>;
  /** Called for each call when it arrives, and when its response is sent. */
  onCall(listener: (call: FakeCall, stage: 'received' | 'answered') => void): void;
  /** Resolves with the first defined result of `find`, which is called again after each event. */
  until<T>(find: () => T | undefined | false): Promise<T>;
}

export const anna: FakeUser = { id: 1001, is_bot: false, first_name: 'Anna', username: 'anna' };
export const ben: FakeUser = { id: 1002, is_bot: false, first_name: 'Ben' };

/** Thrown for an answer with `ok: false`. */
class Refusal extends Error {
  readonly status: number;
  readonly parameters: object | undefined;
  constructor(status: number, description: string, parameters?: object) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}
const bad = (description: string): Refusal => new Refusal(400, `Bad Request: ${description}`);

/** These are only sent when requested (core.telegram.org/bots/api#getupdates). */
const onlyWhenAsked = new Set(['message_reaction', 'message_reaction_count', 'chat_member']);

interface Chat {
  readonly id: number;
  readonly type: 'private' | 'group' | 'supergroup';
  readonly upgradedTo?: number;
  readonly title?: string;
  readonly first_name?: string;
  readonly is_forum?: true;
  readonly topics: readonly number[];
}

/**
 * Telegram's Bot API in this process, as strict as the real one where mistakes are easy: entities must parse, lengths
 * and sizes are limited, updates are confirmed by offsets, two pollers end with 409, a callback is answered once, an
 * edit must change something.
 */
export async function startFakeBotApi(firstToken = '123456:fake'): Promise<FakeBotApi> {
  let token = firstToken;
  const bot: FakeUser = {
    id: Number(token.split(':')[0]),
    is_bot: true,
    first_name: 'Peg',
    username: 'peg_bot',
  };
  const calls: FakeCall[] = [];
  const messages: FakeMessage[] = [];
  const chats = new Map<number, Chat>();
  const files = new Map<string, { readonly bytes: Buffer; readonly size: number }>();
  const queries = new Map<string, string | undefined>();
  const pinned = new Map<number, number[]>();
  const faults: { readonly method: string; readonly fault: FakeFault; left: number }[] = [];
  const listeners: ((call: FakeCall, stage: 'received' | 'answered') => void)[] = [];
  const news = new EventTarget();
  const tell = (): void => void news.dispatchEvent(new Event('news'));

  let updates: { readonly update_id: number; readonly [kind: string]: unknown }[] = [];
  let lastUpdate: (typeof updates)[number] | undefined;
  let allowed: readonly string[] = [];
  let nextUpdate = 700_000;
  let nextMessage = 1;
  let commands: readonly { command: string; description: string }[] = [];
  let poller: { end(answer: object): void } | undefined;
  let hook: { readonly url: string; readonly secret_token?: string } | undefined;

  const addUpdate = (kind: string, body: object): void => {
    const comes = allowed.length > 0 ? allowed.includes(kind) : !onlyWhenAsked.has(kind);
    if (comes) updates.push((lastUpdate = { update_id: nextUpdate++, [kind]: body }));
    tell();
    if (comes && hook) void pushToHook();
  };

  let pushing = false;
  /** Like Telegram: delivers one after the other, repeatedly until acknowledged. */
  const pushToHook = async (): Promise<void> => {
    if (pushing) return;
    pushing = true;
    for (;;) {
      const [update] = updates;
      if (!hook || !update) break;
      const headers = {
        'content-type': 'application/json',
        ...(hook.secret_token && { 'x-telegram-bot-api-secret-token': hook.secret_token }),
      };
      const taken = await fetch(hook.url, { method: 'POST', headers, body: JSON.stringify(update) }).then(
        (answer) => answer.ok,
        () => false,
      );
      if (taken) updates = updates.filter((other) => other !== update);
      else await new Promise((resolve) => setTimeout(resolve, 50));
      tell();
    }
    pushing = false;
  };

  const messageOf = (chat: unknown, id: unknown, what: string): FakeMessage => {
    const found = messages.find((one) => one.chat === Number(chat) && one.id === Number(id) && !one.deleted);
    if (!found) throw bad(what);
    return found;
  };
  const chatOf = (id: unknown): Chat => {
    const found = chats.get(Number(id));
    if (!found) throw bad('chat not found');
    if (found.upgradedTo !== undefined)
      throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: found.upgradedTo,
      });
    if (blocked.has(found.id)) throw new Refusal(403, 'Forbidden: bot was blocked by the user');
    return found;
  };
  const blocked = new Set<number>();
  const plainChat = ({ topics: _topics, upgradedTo: _to, ...chat }: Chat): object => chat;

  const toWire = (message: FakeMessage): object => {
    const replied = messages.find((one) => one.chat === message.chat && one.id === message.replyTo);
    return {
      message_id: message.id,
      from: message.from,
      chat: plainChat(chats.get(message.chat)!),
      date: Math.floor(Date.now() / 1000),
      ...(message.thread !== undefined && { message_thread_id: message.thread, is_topic_message: true }),
      ...(message.file ? { caption: message.text } : { text: message.text }),
      ...(replied && { reply_to_message: toWire({ ...replied, replyTo: undefined! }) }),
    };
  };

  const readText = (params: FakeCall['params'], field: 'text' | 'caption', limit: number): ParsedHtml => {
    const written = (params[field] as string | undefined) ?? '';
    const mode = params['parse_mode'] as string | undefined;
    if (mode !== undefined && mode !== 'HTML') throw bad(`unsupported parse_mode`);
    let parsed: ParsedHtml = { text: written, entities: [] };
    try {
      if (mode === 'HTML') parsed = parseTelegramHtml(written);
    } catch (thrown) {
      if (thrown instanceof HtmlError) throw bad(`can't parse entities: ${thrown.message}`);
      throw thrown;
    }
    const text = parsed.text.trim();
    if (!written.isWellFormed()) throw bad('strings must be encoded in UTF-8');
    if (field === 'text' && !isVisible(text)) throw bad('message text is empty');
    if (Array.from(text).length > limit)
      throw bad(field === 'text' ? 'message is too long' : 'message caption is too long');
    return { ...parsed, text };
  };

  const readButtons = (markup: any): FakeMessage['buttons'] => {
    const rows = (markup?.inline_keyboard ?? []) as {
      text: string;
      callback_data?: string;
      url?: string;
    }[][];
    return rows.flat().map(({ text, callback_data: data, url }) => {
      if (text === '') throw bad("can't parse inline keyboard button: Text buttons are unallowed");
      if (data !== undefined && (Buffer.byteLength(data) > 64 || data === ''))
        throw bad('BUTTON_DATA_INVALID');
      return { text, ...(data !== undefined && { data }), ...(url !== undefined && { url }) };
    });
  };

  const post = (params: FakeCall['params'], parsed: ParsedHtml, file?: FakeMessage['file']): object => {
    const chat = chatOf(params['chat_id']);
    const thread = params['message_thread_id'] as number | undefined;
    if (thread !== undefined && !chat.topics.includes(thread)) throw bad('message thread not found');
    const reply = params['reply_parameters'] as
      | { message_id: number; allow_sending_without_reply?: boolean }
      | undefined;
    const exists = messages.some(
      (one) => one.chat === chat.id && one.id === reply?.message_id && !one.deleted,
    );
    if (reply && !exists && !reply.allow_sending_without_reply) throw bad('message to be replied not found');
    const markup = params['reply_markup'] as { force_reply?: boolean } | undefined;
    const message: FakeMessage = {
      chat: chat.id,
      id: nextMessage++,
      ...(thread !== undefined && { thread }),
      from: bot,
      ...parsed,
      ...(reply && exists && { replyTo: reply.message_id }),
      buttons: readButtons(markup),
      edits: [],
      ...(markup?.force_reply && { forcesReply: true }),
      ...(file && { file }),
    };
    messages.push(message);
    return toWire(message);
  };

  const upload = async (
    params: FakeCall['params'],
    kind: 'photo' | 'document' | 'voice',
  ): Promise<FakeMessage['file'] & object> => {
    const given = params[kind] as unknown;
    const reference = typeof given === 'string' ? /^attach:\/\/(.+)$/.exec(given)?.[1] : undefined;
    const file = (reference === undefined ? given : params[reference]) as unknown;
    if (!(file instanceof File)) throw bad(`there is no ${kind} in the request`);
    const bytes = Buffer.from(await file.arrayBuffer());
    if (bytes.length === 0) throw bad('file must be non-empty');
    return { kind, name: file.name, bytes };
  };

  /** Compares with the current message; an edit must change something. */
  const edit = (params: FakeCall['params'], parsed: ParsedHtml | undefined): object => {
    const message = messageOf(params['chat_id'], params['message_id'], 'message to edit not found');
    if (message.from !== bot) throw bad("message can't be edited");
    const buttons = readButtons(params['reply_markup']);
    const next = parsed ?? { text: message.text, entities: message.entities };
    const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
    if (
      next.text === message.text &&
      same(next.entities, message.entities) &&
      same(buttons, message.buttons)
    ) {
      throw bad(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      );
    }
    if (next.text !== message.text) message.edits.push(message.text);
    // An edit without a keyboard removes the old one.
    Object.assign(message, { ...next, buttons });
    return toWire(message);
  };

  const readMessage = (params: FakeCall['params']): ParsedHtml => {
    // Not of Telegram: it would open the addresses in it by itself.
    if (JSON.stringify(params['link_preview_options']) !== '{"is_disabled":true}')
      throw bad('it shows previews');
    return readText(params, 'text', 4096);
  };

  const methods: { readonly [name: string]: (params: FakeCall['params']) => unknown } = {
    getMe: () => ({ ...bot, can_join_groups: true, can_read_all_group_messages: true }),
    getWebhookInfo: () => ({ url: hook?.url ?? '', pending_update_count: updates.length }),
    setWebhook: ({ url, secret_token, allowed_updates }) => {
      hook = url ? { url, secret_token } : undefined;
      if (allowed_updates) allowed = allowed_updates as string[];
      if (hook) void pushToHook();
      return true;
    },
    deleteWebhook: () => {
      hook = undefined;
      return true;
    },
    setMyCommands: (params) => {
      const given = params['commands'] as typeof commands;
      if (given.some(({ command }) => !/^[a-z0-9_]{1,32}$/.test(command))) throw bad('BOT_COMMAND_INVALID');
      commands = given;
      return true;
    },
    sendMessage: (params) => post(params, readMessage(params)),
    sendPhoto: async (params) =>
      post(params, readText(params, 'caption', 1024), await upload(params, 'photo')),
    sendDocument: async (params) =>
      post(params, readText(params, 'caption', 1024), await upload(params, 'document')),
    sendVoice: async (params) => {
      const file = await upload(params, 'voice');
      if (!file.bytes.subarray(0, 4).equals(Buffer.from('OggS'))) throw bad('the file is no Ogg file');
      return post(params, readText(params, 'caption', 1024), file);
    },
    editMessageText: (params) => edit(params, readMessage(params)),
    editMessageReplyMarkup: (params) => edit(params, undefined),
    deleteMessage: ({ chat_id, message_id }) => {
      messageOf(chat_id, message_id, 'message to delete not found').deleted = true;
      return true;
    },
    sendChatAction: ({ chat_id }) => chatOf(chat_id) && true,
    setMessageReaction: ({ chat_id, message_id, reaction = [] }) => {
      chatOf(chat_id);
      const message = messageOf(chat_id, message_id, 'message to react not found');
      const emojis = (reaction as { emoji: string }[]).map(({ emoji }) => emoji);
      if (emojis.length > 1) throw bad('REACTIONS_TOO_MANY');
      if (emojis.some((emoji) => !(reactions as readonly string[]).includes(emoji)))
        throw bad('REACTION_INVALID');
      if (emojis[0] === undefined) delete message.reaction;
      else message.reaction = emojis[0];
      return true;
    },
    answerCallbackQuery: ({ callback_query_id, text = '' }) => {
      if (!queries.has(callback_query_id) || queries.get(callback_query_id) !== undefined)
        throw bad('query is too old and response timeout expired or query ID is invalid');
      if (String(text).length > 200) throw bad('MESSAGE_TOO_LONG');
      queries.set(callback_query_id, text);
      return true;
    },
    pinChatMessage: ({ chat_id, message_id }) => {
      messageOf(chat_id, message_id, 'message to pin not found');
      const others = (pinned.get(chat_id) ?? []).filter((id) => id !== message_id);
      pinned.set(Number(chat_id), [...others, message_id]);
      return true;
    },
    unpinChatMessage: ({ chat_id, message_id }) => {
      const now = pinned.get(Number(chat_id)) ?? [];
      const gone = message_id ?? newest(now);
      if (gone === undefined || !now.includes(gone)) throw bad('message to unpin not found');
      pinned.set(
        Number(chat_id),
        now.filter((id) => id !== gone),
      );
      return true;
    },
    getChat: ({ chat_id }) => {
      const chat = chatOf(chat_id);
      // Ordered by when it was sent, not by when it was pinned.
      const id = newest(pinned.get(chat.id) ?? []);
      const message = messages.find((one) => one.chat === chat.id && one.id === id);
      return { ...plainChat(chat), ...(message && { pinned_message: toWire(message) }) };
    },
    getFile: ({ file_id }) => {
      const file = files.get(file_id);
      if (!file) throw bad('wrong file_id or the file is temporarily unavailable');
      if (file.size > 20 * 1024 * 1024) throw bad('file is too big');
      return { file_id, file_unique_id: file_id, file_size: file.size, file_path: `files/${file_id}` };
    },
  };
  const newest = (ids: readonly number[]): number | undefined => ids.toSorted((one, two) => two - one)[0];

  const getUpdates = async (params: FakeCall['params'], response: ServerResponse): Promise<object> => {
    if (hook) throw new Refusal(409, "Conflict: can't use getUpdates method while webhook is active");
    poller?.end({
      ok: false,
      error_code: 409,
      description:
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    });
    const { offset = 0, limit = 100, timeout = 0, allowed_updates } = params;
    if (allowed_updates) allowed = allowed_updates as string[];
    if (offset > 0) updates = updates.filter(({ update_id }) => update_id >= offset);
    if (offset < 0) updates = updates.slice(offset);
    tell();
    const until = Date.now() + Math.min(timeout, 50) * 1000;
    const ending = Promise.withResolvers<object>();
    const self = { end: ending.resolve };
    poller = self;
    response.once('close', () => ending.resolve({}));
    const timer = setTimeout(() => ending.resolve({ ok: true, result: [] }), Math.max(0, until - Date.now()));
    try {
      if (timeout <= 0) return { ok: true, result: updates.slice(0, limit) };
      while (updates.length === 0) {
        const ended = await Promise.race([ending.promise, once(news, 'news').then(() => undefined)]);
        if (ended) return ended;
      }
      return { ok: true, result: updates.slice(0, limit) };
    } finally {
      clearTimeout(timer);
      if (poller === self) poller = undefined;
    }
  };

  const answer = async (call: FakeCall, response: ServerResponse): Promise<object> => {
    try {
      if (call.method === 'getUpdates') return await getUpdates(call.params, response);
      const method = Object.hasOwn(methods, call.method) ? methods[call.method]! : undefined;
      if (!method) throw new Refusal(404, 'Not Found: method not found');
      return { ok: true, result: await method(call.params) };
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const { status, message, parameters } = thrown;
      return { ok: false, error_code: status, description: message, ...(parameters && { parameters }) };
    }
  };

  const takeFault = (method: string): FakeFault | undefined => {
    const found = faults.find((one) => one.left > 0 && (one.method === '*' || one.method === method));
    if (found) found.left--;
    return found?.fault;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, owner, method] = /^\/(?:file\/)?bot([^/]+)\/(.*)$/.exec(request.url!) ?? [];
    if (owner === undefined || decodeURIComponent(owner) !== token) {
      return send(response, { ok: false, error_code: 401, description: 'Unauthorized' });
    }
    if (request.url!.startsWith('/file/')) {
      const file = files.get(method!.replace('files/', ''));
      return void (file ? response.end(file.bytes) : response.writeHead(404).end());
    }
    const call: FakeCall = { method: method!.split('?')[0]!, params: await readParams(request) };
    calls.push(call);
    for (const listener of listeners) listener(call, 'received');
    tell();
    const fault = takeFault(call.method);
    if (fault === 'hang') return;
    if (fault === 'cut') return void response.destroy();
    if (typeof fault === 'object' && 'html' in fault) {
      response.writeHead(fault.status, { 'content-type': 'text/html' }).end(fault.html);
      return;
    }
    if (typeof fault === 'object') {
      const { status, description = `scripted ${status}`, retryAfter } = fault;
      const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
      return send(response, { ok: false, error_code: status, description, ...parameters });
    }
    const body = await answer(call, response);
    if (call.method !== 'getUpdates') tell();
    if (fault === 'cut-after') return void response.destroy();
    for (const listener of listeners) listener(call, 'answered');
    send(response, body);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((thrown: unknown) => {
      if (!response.destroyed) send(response, { ok: false, error_code: 500, description: String(thrown) });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const down = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };

  return {
    root: `http://127.0.0.1:${port}`,
    get token() {
      return token;
    },
    renewToken() {
      token = `${bot.id}:renewed`;
    },
    bot,
    calls,
    messages,
    pinned,
    get commands() {
      return commands;
    },
    get pending() {
      return updates.length;
    },
    sentTo: (chat) => messages.filter((one) => one.chat === chat && one.from === bot && !one.deleted),
    addGroup(id, title, { topics = [] } = {}) {
      chats.set(id, {
        id,
        type: isSupergroup(id) ? 'supergroup' : 'group',
        title,
        ...(topics.length > 0 && { is_forum: true }),
        topics,
      });
    },
    addFile(bytes, { size = bytes.length } = {}) {
      const id = `file-${files.size + 1}`;
      files.set(id, { bytes, size });
      return id;
    },
    write(from, text, fields: { readonly [name: string]: any } = {}) {
      const chat = (fields['chat'] as number | undefined) ?? from.id;
      if (chat === from.id && !chats.has(chat))
        chats.set(chat, { id: chat, type: 'private', first_name: from.first_name, topics: [] });
      const { chat: _chat, reply_to: replyTo, thread, ...rest } = fields;
      const message: FakeMessage = {
        chat,
        id: nextMessage++,
        from,
        text: text ?? '',
        entities: [],
        buttons: [],
        edits: [],
        ...(thread !== undefined && { thread }),
        ...(replyTo !== undefined && { replyTo }),
      };
      messages.push(message);
      const wire = toWire(message) as { text?: string };
      if (text === undefined) delete wire.text;
      const commandLength = /^\/[a-z0-9_@]+/i.exec(text ?? '')?.[0].length;
      const entities = commandLength ? [{ type: 'bot_command', offset: 0, length: commandLength }] : [];
      for (const { index, 0: mention } of (text ?? '').matchAll(/(?<=^|\s)@\w+/g))
        entities.push({ type: 'mention', offset: index, length: mention.length });
      addUpdate('message', { ...wire, ...(entities.length > 0 && { entities }), ...rest });
      return message.id;
    },
    edit(id, text) {
      const message = messages.find((one) => one.id === id)!;
      message.text = text;
      addUpdate('edited_message', { ...toWire(message), edit_date: Math.floor(Date.now() / 1000) });
    },
    react(from, id, emoji) {
      const message = messages.find((one) => one.id === id)!;
      addUpdate('message_reaction', {
        chat: plainChat(chats.get(message.chat)!),
        message_id: id,
        user: from,
        date: Math.floor(Date.now() / 1000),
        old_reaction: [],
        new_reaction: emoji === undefined ? [] : [{ type: 'emoji', emoji }],
      });
    },
    press(from, id, button) {
      const message = messages.find((one) => one.id === id)!;
      const data = message.buttons.find(({ text }) => text === button)?.data ?? button;
      const query = String(9_000_000 + queries.size);
      queries.set(query, undefined);
      addUpdate('callback_query', {
        id: query,
        from,
        message: toWire(message),
        chat_instance: String(message.chat),
        data,
      });
      return query;
    },
    repeat() {
      updates.push(lastUpdate!);
      tell();
    },
    answerTo: (query) => queries.get(query),
    fail(method, fault, times = Number.POSITIVE_INFINITY) {
      const entry = { method, fault, left: times };
      faults.push(entry);
      return { [Symbol.dispose]: () => void (entry.left = 0) };
    },
    block(chat) {
      const change = (status: string): void =>
        addUpdate('my_chat_member', {
          chat: plainChat(chats.get(chat)!),
          from: anna,
          new_chat_member: { user: bot, status },
        });
      blocked.add(chat);
      change('kicked');
      return {
        [Symbol.dispose]() {
          blocked.delete(chat);
          change('member');
        },
      };
    },
    upgrade(from, to, { silent } = { silent: false }) {
      const before = chats.get(from)!;
      chats.set(from, { ...before, upgradedTo: to });
      chats.set(to, { ...before, id: to, type: 'supergroup' });
      if (silent) return;
      const common = { from: anna, date: Math.floor(Date.now() / 1000) };
      const told = { ...common, message_id: nextMessage++, chat: plainChat(before), migrate_to_chat_id: to };
      addUpdate('message', told);
      const chat = plainChat(chats.get(to)!);
      addUpdate('message', { ...common, message_id: 1, chat, migrate_from_chat_id: from });
    },
    down,
    async up() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    onCall: (listener) => void listeners.push(listener),
    async until(find) {
      for (;;) {
        const found = find();
        if (found !== undefined && found !== false) return found;
        await once(news, 'news');
      }
    },
    [Symbol.asyncDispose]: down,
  };
}

const isSupergroup = (id: number): boolean => id < -1_000_000_000_000;

function send(
  response: ServerResponse,
  body: { readonly ok?: boolean; readonly error_code?: number; readonly description?: string },
): void {
  if (response.destroyed) return;
  response.writeHead(body.error_code ?? 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Parses JSON, or a form with files, whose other fields are parsed as JSON where possible. */
async function readParams(request: IncomingMessage): Promise<FakeCall['params']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (body.length === 0) return {};
  if (type.includes('application/json')) return JSON.parse(body.toString()) as FakeCall['params'];
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === 'string' ? fromField(value) : value]),
  );
}

function fromField(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
