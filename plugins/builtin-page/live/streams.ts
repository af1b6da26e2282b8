import type { ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { toJson } from 'pegboard';
import type { CallRow, LiveEvent } from '../wire.ts';

/** Rows that a stream which was interrupted still gets, also from a process that ended meanwhile. */
export const maxKept = 2_000;
/** Milliseconds for which calls are collected before they are sent. */
const collectMs = 50;
/** Bytes that may be waiting in a connection: a browser that reads more slowly gets fewer rows. */
const maxWaiting = 1_024 * 1_024;
const keepAliveMs = 15_000;

/** The event streams of all browsers. Each has one, which its tabs share. */
export interface Streams extends Disposable {
  readonly isOpen: boolean;
  /** What happened since `after`, the id of the last event that a browser got. Undefined: the id is another process's. */
  since(after: string): readonly LiveEvent[] | undefined;
  /** Sends `first` and from now on everything. `onClose` is called when the browser has gone. */
  join(response: ServerResponse, session: string, first: readonly LiveEvent[], onClose: () => void): void;
  /** Ends the streams of a session. */
  leave(session: string): void;
  /** A browser that reads slowly gets no changes of running turns: their numbers show it that it has missed some. */
  send(event: LiveEvent): void;
  sendCall(row: CallRow): void;
}

interface Stream {
  readonly response: ServerResponse;
  readonly session: string;
  /** Rows that it could not be sent. */
  skipped: number;
}

export function openStreams(): Streams {
  const epoch = randomUUID();
  const open = new Set<Stream>();
  const kept: { readonly id: number; readonly row: CallRow }[] = [];
  /** By id: a call that ends at once is sent as one row. */
  const collected = new Map<string, CallRow>();
  let last = 0;
  let timer: NodeJS.Timeout | undefined;

  // An id says when it was, for a process that does not know the number.
  const write = ({ response }: Stream, event: LiveEvent): void => {
    response.write(`id: ${epoch}:${last}:${Date.now()}\ndata: ${toJson(event)}\n\n`);
  };
  const flush = (): void => {
    timer = undefined;
    const rows = [...collected.values()];
    collected.clear();
    for (const row of rows) kept.push({ id: ++last, row });
    if (kept.length > maxKept) kept.splice(0, kept.length - maxKept);
    for (const stream of open) {
      if (stream.response.writableLength > maxWaiting) {
        stream.skipped += rows.length;
        continue;
      }
      // First, because its id says that all rows before it have arrived.
      write(stream, { type: 'calls', rows });
      if (stream.skipped > 0) write(stream, { type: 'gap', rows: stream.skipped });
      stream.skipped = 0;
    }
  };
  const keepAlive = setInterval(() => {
    for (const { response } of open) response.write(': keep-alive\n\n');
  }, keepAliveMs).unref();

  return {
    get isOpen() {
      return open.size > 0;
    },
    since(after) {
      const { epoch: known, number } = eventId(after);
      if (known !== epoch) return undefined;
      const rows = kept.filter(({ id }) => id > number).map(({ row }) => row);
      const lost = last - number - rows.length;
      return [
        ...(rows.length > 0 ? [{ type: 'calls', rows } as const] : []),
        ...(lost > 0 ? [{ type: 'gap', rows: lost } as const] : []),
      ];
    },
    join(response, session, first, onClose) {
      if (response.destroyed) return onClose();
      response.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
      const stream: Stream = { response, session, skipped: 0 };
      for (const event of first) write(stream, event);
      open.add(stream);
      response.once('close', () => {
        open.delete(stream);
        onClose();
      });
    },
    leave(session) {
      for (const stream of open) if (stream.session === session) stream.response.end();
    },
    send(event) {
      for (const stream of open)
        if (event.type !== 'turn' || stream.response.writableLength <= maxWaiting) write(stream, event);
    },
    sendCall(row) {
      collected.set(row.id, row);
      timer ??= setTimeout(flush, collectMs);
    },
    [Symbol.dispose]() {
      clearInterval(keepAlive);
      clearTimeout(timer);
      for (const { response } of open) response.end();
    },
  };
}

/** The parts of an event's id: which process sent it, the number of the last row before it, and when that was. */
export function eventId(id: string): {
  readonly epoch: string;
  readonly number: number;
  readonly at: number;
} {
  const [epoch = '', number, at] = id.split(':');
  return { epoch, number: Number(number) || 0, at: Number(at) || 0 };
}
