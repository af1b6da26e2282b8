import { StringDecoder } from 'node:string_decoder';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { createEventStreamReader, type EventStreamReader } from './event-stream.ts';
import { fetchDispatcher, type DispatchController, type Dispatcher } from './fetch-dispatcher.ts';

/** Bytes of one answer, or characters of one event of a stream. */
const longestAnswer = 16 * 1024 * 1024;

export interface PostHandlers {
  /** Each JSON value of a good answer, in order. */
  readonly onMessage: (message: unknown) => void;
  readonly signal: AbortSignal | undefined;
}

export interface PostOutcome {
  readonly status: number;
  /** The body of an answer that is not good. */
  readonly text: string;
  /** Of the last event of a stream: it can be resumed there. */
  readonly lastEventId: string | undefined;
  /** Milliseconds that the server wants to be left alone before that. */
  readonly retryMs: number;
}

/** Posts JSON to one address over the connections that `fetch` keeps open. */
export interface Poster extends Disposable {
  /** Resolves when the answer has been read to its end. Rejects with the network's error. Undefined: use `fetch`. */
  post(
    body: string,
    headers: Readonly<Record<string, string>>,
    handlers: PostHandlers,
  ): Promise<PostOutcome> | undefined;
}

/** A third of the processor time that `fetch` takes, which makes streams of all it reads. Redirects are not followed. */
export function createPoster(url: URL): Poster {
  const target = {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    // Who calls has a limit; a tool may say nothing for longer than the usual five minutes.
    headersTimeout: 0,
    bodyTimeout: 0,
  } as const;
  const open = new Set<Exchange>();

  return {
    post(body, headers, handlers) {
      const dispatcher = fetchDispatcher();
      if (!dispatcher) return undefined;
      const exchange = startExchange(dispatcher, { ...target, headers, body }, handlers);
      open.add(exchange);
      const ended = (): void => void open.delete(exchange);
      exchange.outcome.then(ended, ended);
      return exchange.outcome;
    },
    [Symbol.dispose]() {
      for (const exchange of open) exchange.abort(new Error('the connection was closed'));
    },
  };
}

/** A request that waits for the rest of its answer. */
interface Exchange {
  readonly outcome: Promise<PostOutcome>;
  abort(reason: Error): void;
}

type Request = Parameters<Dispatcher['dispatch']>[0];

function startExchange(
  dispatcher: Dispatcher,
  request: Request,
  { onMessage, signal }: PostHandlers,
): Exchange {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<PostOutcome>();
  let controller: DispatchController | undefined;
  let answer: Answer | undefined;
  const abort = (reason: Error): void => {
    settle(() => reject(reason));
    controller?.abort(reason);
  };
  const onAbort = (): void => abort(signal!.reason as Error);
  const settle = (end: () => void): void => {
    signal?.removeEventListener('abort', onAbort);
    end();
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      abort(cause as Error);
    }
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) {
    onAbort();
    return { outcome, abort };
  }
  dispatcher.dispatch(request, {
    onRequestStart: (started) => (controller = started),
    onResponseStart(_controller, status, headers) {
      const [type] = [headers['content-type'] ?? ''].flat();
      answer = readAnswer(status, type!, onMessage);
    },
    onResponseData: (_controller, chunk) => guarded(() => answer!.push(chunk)),
    onResponseEnd: () => guarded(() => settle(() => resolve(answer!.end()))),
    onResponseError(_controller, cause) {
      const told = answer ? new Error('its answer was cut off', { cause }) : cause;
      settle(() => reject(told));
    },
  });
  return { outcome, abort };
}

/** Both throw when the answer can't be read. */
interface Answer {
  push(chunk: Buffer): void;
  end(): PostOutcome;
}

function readAnswer(status: number, type: string, onMessage: (message: unknown) => void): Answer {
  const isGood = status >= 200 && status < 300;
  const deliver = (json: string): void => {
    let messages: unknown;
    try {
      messages = parseJson(json);
    } catch (cause) {
      throw new Error(`its answer is no JSON (${(cause as Error).message})`, { cause });
    }
    for (const message of [messages].flat()) onMessage(message);
  };
  if (isGood && type.startsWith('text/event-stream')) return readStream(status, deliver);
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push(chunk) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > longestAnswer) throw tooLong();
    },
    end() {
      const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString();
      if (isGood && text !== '') deliver(text);
      return { status, text: isGood ? '' : text, lastEventId: undefined, retryMs: 0 };
    },
  };
}

function readStream(status: number, deliver: (json: string) => void): Answer {
  const decoder = new StringDecoder('utf8');
  let lastEventId: string | undefined;
  let retryMs = 0;
  const reader: EventStreamReader = createEventStreamReader(
    longestAnswer,
    ({ data, id, retryMs: wanted }) => {
      lastEventId = id ?? lastEventId;
      retryMs = wanted ?? retryMs;
      if (data !== '') deliver(data);
    },
    () => {
      throw tooLong();
    },
  );
  return {
    push: (chunk) => reader.push(decoder.write(chunk)),
    end: () => ({ status, text: '', lastEventId, retryMs }),
  };
}

const tooLong = (): Error => new Error(`its answer has more than ${longestAnswer / 1024 / 1024} MiB`);
