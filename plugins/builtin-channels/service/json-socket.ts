import { parseJson, toJson } from 'pegboard';

export interface JsonSocketOptions {
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** The code with which this side closes it. */
  readonly closeCode: number;
}

/**
 * A WebSocket that speaks JSON. Iterating it gives the messages one by one, each after the one before was handled, until the
 * connection has ended: then those that still wait are dropped.
 */
export interface JsonSocket extends AsyncIterable<unknown>, Disposable {
  send(message: object): void;
  /** Sends `beat()` at this interval. The connection ends when nothing arrives between two of them: it is dead. */
  keepAlive(intervalMs: number, beat: () => object): void;
  /** Aborts when the connection has ended. */
  readonly ended: AbortSignal;
  /** The code with which the other side has closed it. */
  readonly code: number | undefined;
}

/** Milliseconds within which the other side has to say something. */
const firstMessageMs = 20_000;

/** Opens a WebSocket that speaks JSON. Dispose it: that closes it. */
export function openJsonSocket(url: string, { signal, closeCode }: JsonSocketOptions): JsonSocket {
  const socket = new WebSocket(url);
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  const messages: unknown[] = [];
  let code: number | undefined;
  let arrival = Promise.withResolvers<void>();
  let hasArrived = false;
  const end = (): void => ending.abort();
  let timer = setTimeout(end, firstMessageMs);
  ended.addEventListener('abort', () => arrival.resolve(), { once: true });
  socket.addEventListener('message', ({ data }) => {
    hasArrived = true;
    try {
      messages.push(parseJson(data as string));
    } catch {
      // An error that is thrown here would end the process.
      return end();
    }
    arrival.resolve();
  });
  socket.addEventListener('close', (event) => {
    if (!ended.aborted) ({ code } = event);
    end();
  });
  socket.addEventListener('error', end);
  const send = (message: object): void => socket.send(toJson(message));
  return {
    send,
    keepAlive(intervalMs, beat) {
      const next = (): void => {
        if (!hasArrived) return end();
        hasArrived = false;
        send(beat());
      };
      clearTimeout(timer);
      hasArrived = true;
      // Many connections that begin at the same time don't beat at the same time.
      timer = setTimeout(() => {
        next();
        timer = setInterval(next, intervalMs);
      }, intervalMs * Math.random());
    },
    ended,
    get code() {
      return code;
    },
    async *[Symbol.asyncIterator]() {
      while (!ended.aborted) {
        if (messages.length > 0) yield messages.shift();
        else {
          await arrival.promise;
          arrival = Promise.withResolvers();
        }
      }
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      end();
      socket.close(closeCode);
    },
  };
}
