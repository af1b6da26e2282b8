import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

/** Milliseconds until the next try to connect. */
const pauseMs = 1_000;

/** What a listener sends to itself, to learn whether it hears. */
const probe = 'probe';

export interface ListenerOptions {
  readonly url: string;
  /** Of NOTIFY. A plain name. */
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  /** Called when it has begun to listen, also again: there may be news that nobody has heard. */
  readonly onConnected: () => void;
  /** It connects again by itself. */
  readonly onError: (cause: unknown) => void;
}

/** One connection that hears what others notify. */
export interface Listener extends AsyncDisposable {
  /** False while it isn't connected, and behind a PgBouncer that pools transactions: no news arrive. */
  readonly hears: boolean;
}

/** Listens until it is disposed. */
export function startListener(options: ListenerOptions): Listener {
  const { url, channel, onPayload, onConnected, onError } = options;
  const ending = new AbortController();
  let client: Client | undefined;
  let hears = false;
  const hear = async (): Promise<void> => {
    const { default: pg } = await import('pg');
    client = new pg.Client({
      connectionString: url,
      application_name: 'pegboard listens',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    const own = client;
    const broken = new Promise<void>((resolve, reject) => {
      own.once('error', reject);
      own.once('end', resolve);
    });
    // Connecting may fail first.
    broken.catch(() => {});
    try {
      await own.connect();
      if (ending.signal.aborted) return;
      own.on('notification', ({ payload = '' }) => {
        if (payload !== probe) onPayload(payload);
      });
      await own.query(`listen ${channel}`);
      hears = await hearsItself(own, channel);
      onConnected();
      await broken;
    } finally {
      hears = false;
      await own.end().catch(() => {});
    }
  };
  const loop = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await hear().catch((cause: unknown) => {
        if (!ending.signal.aborted) onError(cause);
      });
      await delay(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const looping = loop();
  return {
    get hears() {
      return hears;
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await client?.end().catch(() => {});
      await looping;
    },
  };
}

/** Behind a pool of transactions, the connection that listens is another one each time. */
async function hearsItself(client: Client, channel: string): Promise<boolean> {
  const heard = new Promise<boolean>((resolve) => {
    client.once('notification', () => resolve(true));
    setTimeout(() => resolve(false), 2_000).unref();
  });
  await client.query(`select pg_notify('${channel}', $1)`, [probe]);
  return await heard;
}
