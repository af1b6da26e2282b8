import { type Clock, parseJson, toJson } from 'pegboard';
import { readAnswerAtMost, readDownload, systemClock } from 'pegboard/kit';
import { ChannelFailure, type FailureKind, type FailureScope } from '../failure.ts';
import { connectionFailure } from './connection-failure.ts';

export interface JsonApiOptions {
  /** The service, for people. */
  readonly title: string;
  /** What all paths begin with. */
  readonly root: string;
  readonly headers: { readonly [name: string]: string };
  /** Reads the response to a request that failed. `answer`: its JSON; empty if it has none, as that of a proxy. */
  readonly readError: (answer: { readonly [member: string]: unknown }, status: number) => ApiError;
  /** Of the pauses that the service asks for. Default: the machine's. */
  readonly clock?: Clock;
}

/** How a request has failed. */
export interface ApiError {
  /** Default: "status 404". */
  readonly reason?: string | undefined;
  readonly code?: number | string | undefined;
  /** Default: `refused`. With a status of 500 or more `notSent`, or `unknown` if another server has answered. */
  readonly kind?: FailureKind | undefined;
  /** Default: with the status 401 the account, else the message. */
  readonly scope?: FailureScope | undefined;
  /** To wait, after 429. Default: what the header `Retry-After` says. */
  readonly seconds?: number | undefined;
  /** After 429: until then the service takes no request at all. */
  readonly blocksAll?: boolean | undefined;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface ApiRequest {
  /** Sent as JSON, or as a form, which may contain files. */
  readonly body?: object | FormData;
  readonly signal?: AbortSignal;
}

/** An HTTP API that speaks JSON. What fails throws a `ChannelFailure`. */
export interface JsonApi {
  call<Answer>(method: Method, path: string, request?: ApiRequest): Promise<Answer>;
  /** A file's content, from any address. Throws if it is larger than `maxBytes`. */
  download(url: string, maxBytes: number, signal: AbortSignal): Promise<Buffer>;
}

const timeoutMs = 30_000;
/** For files. */
const longTimeoutMs = 180_000;
const maxAnswerBytes = 16 * 1024 * 1024;

/** A client of an HTTP API that speaks JSON, with time limits and the rate limits of the service. */
export function createJsonApi({
  title,
  root,
  headers,
  readError,
  clock = systemClock,
}: JsonApiOptions): JsonApi {
  /** By the monotonic clock. */
  let blockedUntil = 0;
  const busy = (seconds: number): ChannelFailure =>
    new ChannelFailure('busy', `${title} limits the rate`, { seconds });

  const send = async (
    method: Method,
    path: string,
    { body, signal: given }: ApiRequest,
  ): Promise<readonly [Response, string]> => {
    const isForm = body instanceof FormData;
    const limit = AbortSignal.timeout(isForm ? longTimeoutMs : timeoutMs);
    const signal = given ? AbortSignal.any([given, limit]) : limit;
    const isJson = body !== undefined && !isForm;
    const all = { ...headers, ...(isJson && { 'content-type': 'application/json' }) };
    try {
      const content = isJson ? toJson(body) : (body ?? null);
      const response = await fetch(`${root}${path}`, { method, headers: all, body: content, signal });
      return [response, (await readAnswerAtMost(response, maxAnswerBytes)).toString()];
    } catch (cause) {
      throw connectionFailure(cause);
    }
  };

  return {
    async call<Answer>(method: Method, path: string, request: ApiRequest = {}): Promise<Answer> {
      const leftMs = blockedUntil - clock.monotonic();
      if (leftMs > 0) throw busy(leftMs / 1000);
      const [response, text] = await send(method, path, request);
      if (response.ok) return (text === '' ? undefined : parseJson(text)) as Answer;
      const { status } = response;
      const answer = answerIn(text);
      const error = readError(answer ?? {}, status);
      if (status === 429) {
        const seconds = error.seconds ?? Number(response.headers.get('retry-after') ?? 1);
        if (error.blocksAll) blockedUntil = clock.monotonic() + seconds * 1000;
        throw busy(seconds);
      }
      const usualKind = status < 500 ? 'refused' : answer ? 'notSent' : 'unknown';
      const { reason = `status ${status}`, kind = usualKind, scope, code } = error;
      throw new ChannelFailure(kind, reason, { status, scope, code });
    },
    async download(url, maxBytes, signal) {
      const all = AbortSignal.any([signal, AbortSignal.timeout(longTimeoutMs)]);
      return await readDownload(await fetch(url, { signal: all }), maxBytes);
    },
  };
}

function answerIn(text: string): { readonly [member: string]: unknown } | undefined {
  try {
    return (parseJson(text) ?? {}) as { readonly [member: string]: unknown };
  } catch {
    return undefined;
  }
}
