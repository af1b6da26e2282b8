import { StringDecoder } from 'node:string_decoder';
import { TooMuchJson } from '../../../../core/documents/json/read-json.ts';
import { createJsonSequence, type JsonSequence } from '../../../../core/documents/json/json-sequence.ts';
import type { Fate } from '../connection-lost.ts';
import { createEventStreamReader, type EventStreamReader } from './event-stream.ts';
import { fetchDispatcher, type DispatchController, type Dispatcher } from './fetch-dispatcher.ts';

/** Maximum bytes of one response, or characters of one event of a stream. */
const maxResponseBytes = 16 * 1024 * 1024;

/** Maximum milliseconds for which a stream may stay open after the answer. */
const leaveMs = 2_000;

export interface HttpRequest {
  readonly method: 'POST' | 'GET';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface AnswerHandlers {
  /** Called for each JSON value of a successful response, in order. Returns true for the last one that is needed. */
  readonly onMessage: (message: unknown) => boolean;
  readonly signal: AbortSignal | undefined;
}

export interface HttpOutcome {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** The body of an unsuccessful response. */
  readonly text: string;
  /** The id of the last event of a stream, which can be resumed there. */
  readonly lastEventId: string | undefined;
  /** Milliseconds to wait before that, as requested by the server. */
  readonly retryMs: number;
  /** Why the first unreadable event can't be read. */
  readonly unreadable?: Error | undefined;
}

export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request without a usable response. */
export class RequestFailed extends Error {
  readonly fate: Fate;

  constructor(fate: Fate, cause: unknown) {
    super((cause as Error).message, { cause });
    this.name = 'RequestFailed';
    this.fate = fate;
  }
}

/** Sends requests over the connections that `fetch` keeps open. */
export interface HttpRequests extends Disposable {
  /**
   * Resolves when the response has been read to its end, or was cut off where it can be resumed. Rejects with
   * RequestFailed, or the signal's reason. Undefined: use `fetch`.
   */
  send(request: HttpRequest, handlers: AnswerHandlers): Promise<HttpOutcome> | undefined;
}

/** Takes a third of the processor time of `fetch`, which creates streams for everything. Doesn't follow redirects. */
export function createHttpRequests(): HttpRequests {
  const open = new Set<Exchange>();
  return {
    send({ method, url, headers, body }, handlers) {
      const dispatcher = fetchDispatcher();
      if (!dispatcher) return undefined;
      const request = {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        body: body ?? null,
        // The caller sets the limit. A tool may be silent for longer than the default of five minutes.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const exchange = startExchange(dispatcher, request, handlers);
      open.add(exchange);
      const ended = (): void => void open.delete(exchange);
      exchange.outcome.then(ended, ended);
      return exchange.outcome;
    },
    [Symbol.dispose]() {
      const closed = new RequestFailed('unknown', new Error('the connection was closed'));
      for (const exchange of open) exchange.abort(closed);
    },
  };
}

/** A request whose response is not complete yet. */
interface Exchange {
  readonly outcome: Promise<HttpOutcome>;
  abort(reason: Error): void;
}

type Request = Parameters<Dispatcher['dispatch']>[0];

function startExchange(
  dispatcher: Dispatcher,
  request: Request,
  { onMessage, signal }: AnswerHandlers,
): Exchange {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<HttpOutcome>();
  let controller: DispatchController | undefined;
  let answer: Answer | undefined;
  const abort = (reason: Error): void => {
    settle(() => reject(reason));
    controller?.abort(reason);
  };
  const onAbort = (): void => abort(signal!.reason as Error);
  /** A stream that stays open after the answer would keep its connection forever. */
  let leaving: NodeJS.Timeout | undefined;
  const leave = (): void => {
    settle(() => resolve(answer!.outcome()));
    controller?.abort(new Error('the answer has come'));
  };
  let hasEnded = false;
  let isSettled = false;
  const settle = (end: () => void): void => {
    isSettled = true;
    clearTimeout(leaving);
    signal?.removeEventListener('abort', onAbort);
    end();
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      abort(new RequestFailed('answered', cause));
    }
  };
  const interrupted = (cause: Error): void => {
    // Before the response has started, nothing was delivered.
    if (!answer) return reject(new RequestFailed(controller ? 'unknown' : 'unsent', cause));
    const rest = answer.interrupted();
    if (rest?.lastEventId !== undefined) return resolve(rest);
    reject(new RequestFailed('unknown', new Error('its answer was cut off')));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) {
    onAbort();
    return { outcome, abort };
  }
  dispatcher.dispatch(request, {
    onRequestStart: (started) => (controller = started),
    onResponseStart(_controller, status, headers) {
      answer = readAnswer(status, headers, {
        onMessage: (message) => {
          if (!isSettled && onMessage(message)) leaving ??= setTimeout(leave, leaveMs).unref();
        },
        onMistake: (cause) => abort(new RequestFailed('answered', cause)),
        onBusy(busy) {
          if (hasEnded) return;
          if (busy) controller?.pause();
          else controller?.resume();
        },
      });
    },
    onResponseData: (_controller, chunk) => guarded(() => answer!.push(chunk)),
    onResponseEnd: () =>
      guarded(() => {
        hasEnded = true;
        const { reading } = answer!.finish();
        if (reading) void reading.then(() => settle(() => resolve(answer!.outcome())));
        else settle(() => resolve(answer!.outcome()));
      }),
    onResponseError: (_controller, cause) => settle(() => interrupted(cause)),
  });
  return { outcome, abort };
}

/** `push` and `finish` throw when the response can't be read. */
interface Answer {
  push(chunk: Buffer): void;
  /** There is no more. */
  finish(): { readonly reading: Promise<void> | undefined };
  /** What has been read so far. */
  outcome(): HttpOutcome;
  /** The part before it was cut off, if the rest can be requested. */
  interrupted(): HttpOutcome | undefined;
}

interface AnswerReader {
  readonly onMessage: (message: unknown) => void;
  /** The body is not JSON. */
  readonly onMistake: (cause: Error) => void;
  /** A long message is being read, so that nothing more should arrive. */
  readonly onBusy: (busy: boolean) => void;
}

function readAnswer(
  status: number,
  headers: HttpHeaders,
  { onMessage, onMistake, onBusy }: AnswerReader,
): Answer {
  const isGood = status >= 200 && status < 300;
  const sequence = createJsonSequence(onBusy);
  const deliver = (json: string, failed: (cause: Error) => void): void =>
    sequence.add(json, (read) => {
      let messages: unknown;
      try {
        messages = read();
      } catch (cause) {
        const { message } = cause as Error;
        const why = cause instanceof TooMuchJson ? message : `is not valid JSON (${message})`;
        return failed(new Error(`its answer ${why}`, { cause }));
      }
      for (const message of [messages].flat()) onMessage(message);
    });
  if (isGood && isEventStream(headers)) return readStream(status, headers, { deliver, sequence });
  const chunks: Buffer[] = [];
  let size = 0;
  let text = '';
  return {
    push(chunk) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxResponseBytes) throw tooLong();
    },
    finish() {
      text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString();
      if (isGood && text !== '') deliver(text, onMistake);
      return sequence;
    },
    outcome: () => ({ status, headers, text: isGood ? '' : text, lastEventId: undefined, retryMs: 0 }),
    interrupted: () => undefined,
  };
}

interface StreamMessages {
  readonly deliver: (json: string, failed: (cause: Error) => void) => void;
  readonly sequence: JsonSequence;
}

function readStream(status: number, headers: HttpHeaders, { deliver, sequence }: StreamMessages): Answer {
  const decoder = new StringDecoder('utf8');
  let lastEventId: string | undefined;
  let retryMs = 0;
  let unreadable: Error | undefined;
  const reader: EventStreamReader = createEventStreamReader(
    maxResponseBytes,
    ({ data, id, retryMs: wanted }) => {
      lastEventId = id ?? lastEventId;
      retryMs = wanted ?? retryMs;
      if (data !== '') deliver(data, (cause) => (unreadable ??= cause));
    },
    () => {
      throw tooLong();
    },
  );
  const soFar = (): HttpOutcome => ({ status, headers, text: '', lastEventId, retryMs, unreadable });
  return {
    push: (chunk) => reader.push(decoder.write(chunk)),
    finish() {
      reader.end();
      return sequence;
    },
    outcome: soFar,
    interrupted: soFar,
  };
}

/** The first header of that name. */
export const headerOf = (headers: HttpHeaders, name: string): string | undefined => [headers[name]].flat()[0];

export const isEventStream = (headers: HttpHeaders): boolean =>
  headerOf(headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;

const tooLong = (): Error => new Error(`its answer has more than ${maxResponseBytes / 1024 / 1024} MiB`);
