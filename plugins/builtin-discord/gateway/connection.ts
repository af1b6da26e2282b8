import { parseJson, toJson } from 'pegboard';

/** Resumes a session, or begins one. */
export interface ConnectionOptions {
  readonly url: string;
  /** The payload of IDENTIFY or RESUME. */
  readonly greeting: { readonly op: number; readonly d: object };
  /** Of the session's last event that was handled; null for a new session. */
  readonly sequence: number | null;
  /** Called one after the other. If it rejects, the connection ends, and `connect` rejects too. */
  readonly onEvent: (event: Dispatch, signal: AbortSignal) => Promise<void>;
  /** Called between events, about once a minute. */
  readonly onPause: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface Dispatch {
  readonly t: string;
  readonly s: number;
  readonly d: unknown;
}

/** Why a connection has ended. */
export interface ConnectionEnd {
  /** The code with which Discord closed it. Absent: it broke, or we closed it. */
  readonly code?: number;
  /** The session can't be resumed. */
  readonly isOver: boolean;
}

/** Milliseconds within which Discord greets. */
const helloTimeoutMs = 20_000;
/** With any code but 1000 and 1001, Discord keeps the session for a few minutes. */
const keepSession = 4_000;
const sessionIsOver: ReadonlySet<number> = new Set([1000, 4003, 4004, 4007, 4009]);
const ops = { dispatch: 0, heartbeat: 1, reconnect: 7, invalidSession: 9, hello: 10, acknowledged: 11 };
export const identify = 2;
export const resume = 6;

/** One connection to the gateway, until it ends or `signal` aborts. No event is handled after it has resolved. */
export async function connect(options: ConnectionOptions): Promise<ConnectionEnd> {
  const { url, greeting, onEvent, onPause } = options;
  let { sequence } = options;
  const ended = Promise.withResolvers<ConnectionEnd>();
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const socket = new WebSocket(`${url.replace(/\/$/, '')}/?v=10&encoding=json`);
  const send = (op: number, d: unknown): void => socket.send(toJson({ op, d }));
  const end = (isOver = false): void => ended.resolve({ isOver });

  let handling: Promise<void> = Promise.resolve();
  const handle = (work: () => Promise<void>): void => {
    const before = handling;
    const next = async (): Promise<void> => {
      await before;
      if (!signal.aborted) await work();
    };
    handling = next();
    handling.catch(ended.reject);
  };

  let isAcknowledged = true;
  const beat = (): void => {
    if (!isAcknowledged) return end();
    isAcknowledged = false;
    send(ops.heartbeat, sequence);
  };
  let timer = setTimeout(end, helloTimeoutMs);
  const startBeating = (interval: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      beat();
      timer = setInterval(beat, interval);
    }, interval * Math.random());
  };

  const receive = ({ op, d, t, s }: { op: number; d: any } & Partial<Dispatch>): void => {
    switch (op) {
      case ops.dispatch:
        return handle(async () => {
          await onEvent({ t: t!, s: s!, d }, signal);
          sequence = s!;
        });
      case ops.hello:
        startBeating(d.heartbeat_interval as number);
        return send(greeting.op, greeting.d);
      case ops.heartbeat:
        return send(ops.heartbeat, sequence);
      case ops.acknowledged:
        isAcknowledged = true;
        return handle(onPause);
      case ops.reconnect:
        return end();
      case ops.invalidSession:
        return end(d !== true);
    }
  };
  socket.addEventListener('message', ({ data }) => {
    if (signal.aborted) return;
    try {
      receive(parseJson(data as string) as Parameters<typeof receive>[0]);
    } catch {
      // Not Discord's protocol. An error that is thrown here would end the process.
      end();
    }
  });
  socket.addEventListener('close', ({ code }) => ended.resolve({ code, isOver: sessionIsOver.has(code) }));
  socket.addEventListener('error', () => end());
  const stop = (): void => end();
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    if (options.signal.aborted) stop();
    return await ended.promise;
  } finally {
    options.signal.removeEventListener('abort', stop);
    clearTimeout(timer);
    ending.abort();
    socket.close(keepSession);
    await handling.catch(() => {});
  }
}
