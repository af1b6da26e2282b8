import { parseJson, toJson } from 'pegboard';
import { ChannelFailure, readDownload } from 'pegboard/channels';

export interface DiscordApiOptions {
  readonly token: string;
  /** The id of the bot. */
  readonly bot: string;
  /** Of the API, with its version. */
  readonly root: string;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface CallOptions {
  readonly body?: object;
  readonly file?: Upload;
  readonly signal?: AbortSignal;
}

/** A file to upload. */
export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

/** Discord's HTTP API. What fails throws a ChannelFailure, whose `cause` is a DiscordRefusal if Discord refused. */
export interface DiscordApi extends Pick<DiscordApiOptions, 'token' | 'bot'> {
  call<T>(method: Method, path: string, options?: CallOptions): Promise<T>;
  /** A file's content. Throws when the download fails. */
  download(url: string, limit: number, signal: AbortSignal): Promise<Buffer>;
}

/** A 4xx response: `code` is Discord's own (discord.com/developers/docs/topics/opcodes-and-status-codes#json). */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, reason: string) {
    super(reason);
    this.status = status;
    this.code = code;
  }
}

/** Discord's codes of refusals. */
export const refusals = { unknownMessage: 10_008, unknownChannel: 10_003, writtenByAnother: 50_005 } as const;

export const isRefusal = (thrown: unknown, ...codes: readonly number[]): boolean =>
  thrown instanceof ChannelFailure &&
  thrown.cause instanceof DiscordRefusal &&
  codes.includes(thrown.cause.code);

const timeoutMs = 30_000;
const uploadTimeoutMs = 180_000;
/** Discord refuses other forms (discord.com/developers/docs/reference#user-agent). */
const userAgent = 'DiscordBot (https://pegboard.dev, 0.1.0)';

export function createDiscordApi({ token, bot, root }: DiscordApiOptions): DiscordApi {
  /** In terms of performance.now(): until then Discord takes no request of this bot. */
  let blockedUntil = 0;

  const send = async (
    method: Method,
    path: string,
    options: CallOptions,
  ): Promise<readonly [Response, string]> => {
    const { content, headers } = contentOf(options);
    const limit = AbortSignal.timeout(options.file ? uploadTimeoutMs : timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    try {
      const all = { authorization: `Bot ${token}`, 'user-agent': userAgent, ...headers };
      const response = await fetch(`${root}${path}`, { method, headers: all, body: content, signal });
      return [response, await response.text()];
    } catch (cause) {
      throw toFailure(cause);
    }
  };

  return {
    token,
    bot,
    async call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
      const leftMs = blockedUntil - performance.now();
      if (leftMs > 0) throw busy(leftMs / 1000);
      const [response, text] = await send(method, path, options);
      if (response.ok) return (text === '' ? undefined : parseJson(text)) as T;
      const answer = readAnswer(text);
      if (response.status === 429) {
        const seconds = answer.retry_after ?? Number(response.headers.get('retry-after') ?? 1);
        if (answer.global) blockedUntil = performance.now() + seconds * 1000;
        throw busy(seconds);
      }
      throw refused(response.status, answer);
    },
    async download(url, limit, signal) {
      const all = AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutMs)]);
      return await readDownload(await fetch(url, { signal: all }), limit);
    },
  };
}

interface Sent {
  readonly content: string | FormData | null;
  readonly headers?: { readonly [name: string]: string };
}

function contentOf({ body, file }: CallOptions): Sent {
  if (!body) return { content: null };
  if (!file) return { content: toJson(body), headers: { 'content-type': 'application/json' } };
  const form = new FormData();
  form.set('payload_json', toJson(body));
  form.set('files[0]', new Blob([file.bytes], { type: file.type }), file.name);
  return { content: form };
}

const busy = (seconds: number): ChannelFailure =>
  new ChannelFailure('busy', 'Discord limits the rate', { seconds });

/** Characters of what Discord says about the members of a refused body. */
const maxDetailsLength = 300;

function refused(status: number, { message = `status ${status}`, code = 0, errors }: Answer): ChannelFailure {
  const details = errors ? ` ${toJson(errors).slice(0, maxDetailsLength)}` : '';
  const cause = new DiscordRefusal(status, code, message);
  // Messages have a nonce, so one that arrived all the same doesn't arrive twice.
  return new ChannelFailure(status >= 500 ? 'notSent' : 'refused', message + details, { cause });
}

interface Answer {
  readonly message?: string;
  readonly code?: number;
  readonly errors?: object;
  readonly retry_after?: number;
  readonly global?: boolean;
}

/** A proxy in front of Discord answers with other things than JSON. */
function readAnswer(text: string): Answer {
  try {
    return parseJson(text) as Answer;
  } catch {
    return {};
  }
}

/** Error codes of connections that were not established. */
const neverReached = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function toFailure(cause: unknown): ChannelFailure {
  const { code } = ((cause as Error).cause ?? {}) as NodeJS.ErrnoException;
  const isNotSent = code !== undefined && neverReached.has(code);
  return new ChannelFailure(isNotSent ? 'notSent' : 'unknown', code ?? (cause as Error).message, { cause });
}
