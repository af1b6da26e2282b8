import type { ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { toJson } from '../../core/documents/written-numbers.ts';
import type { CallRow, LiveEvent } from '../wire.ts';

/** Rows that a stream which was interrupted still gets. */
const maxKept = 2_000;
/** Milliseconds for which calls are collected before they are sent. */
const collectMs = 50;
/** Bytes that may be waiting in a connection: a browser that reads more slowly gets fewer rows. */
const maxWaiting = 1_024 * 1_024;
const keepAliveMs = 15_000;

/** The event streams of all browsers. Each has one, which its tabs share. */
export interface Streams extends Disposable {
  readonly isOpen: boolean;
  /**
   * Sends `first`, the calls since `after` (the id of the last event that the browser got), and from now on everything.
   * `onClose` is called when the browser has gone.
   */
  join(
    response: ServerResponse,
    after: string | undefined,
    first: readonly LiveEvent[],
    onClose: () => void,
  ): void;
  /** A browser that reads slowly gets no changes of running turns: their numbers show it that it has missed some. */
  send(event: LiveEvent): void;
  sendCall(row: CallRow): void;
}

interface Stream {
  readonly response: ServerResponse;
  /** Rows that it could not be sent. */
  skipped: number;
}

export function openStreams(): Streams {
  // Ids of another process mean nothing here.
  const epoch = randomUUID();
  const open = new Set<Stream>();
  const kept: { readonly id: number; readonly row: CallRow }[] = [];
  /** By id: a call that ends at once is sent as one row. */
  const collected = new Map<string, CallRow>();
  let last = 0;
  let timer: NodeJS.Timeout | undefined;

  const write = ({ response }: Stream, event: LiveEvent): void => {
    response.write(`id: ${epoch}:${last}\ndata: ${toJson(event)}\n\n`);
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
      if (stream.skipped > 0) write(stream, { type: 'gap', rows: stream.skipped });
      stream.skipped = 0;
      write(stream, { type: 'calls', rows });
    }
  };
  const keepAlive = setInterval(() => {
    for (const { response } of open) response.write(': keep-alive\n\n');
  }, keepAliveMs).unref();

  const missed = (after: string | undefined): readonly LiveEvent[] => {
    const [known, id] = after?.split(':') ?? [];
    if (known !== epoch) return [];
    const rows = kept.filter((one) => one.id > Number(id)).map(({ row }) => row);
    const lost = last - Number(id) - rows.length;
    return [
      ...(lost > 0 ? [{ type: 'gap', rows: lost } as const] : []),
      ...(rows.length > 0 ? [{ type: 'calls', rows } as const] : []),
    ];
  };

  return {
    get isOpen() {
      return open.size > 0;
    },
    join(response, after, first, onClose) {
      response.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
      const stream: Stream = { response, skipped: 0 };
      for (const event of [...first, ...missed(after)]) write(stream, event);
      open.add(stream);
      response.once('close', () => {
        open.delete(stream);
        onClose();
      });
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
