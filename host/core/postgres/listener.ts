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
  let hears = false;
  const hear = async (): Promise<void> => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: url,
      application_name: 'pegboard listens',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    const broken = new Promise<void>((resolve, reject) => {
      client.once('error', reject);
      client.once('end', resolve);
    });
    // Connecting may fail first.
    broken.catch(() => {});
    let isConnected = false;
    const connecting = client.connect().then(() => void (isConnected = true));
    const stopped = Promise.withResolvers<void>();
    const stop = (): void => stopped.resolve();
    ending.signal.addEventListener('abort', stop);
    const listen = async (): Promise<void> => {
      await connecting;
      if (ending.signal.aborted) return;
      client.on('notification', ({ payload = '' }) => {
        if (payload !== probe) onPayload(payload);
      });
      await client.query(`listen ${channel}`);
      hears = await hearsItself(client, channel);
      onConnected();
      await broken;
    };
    try {
      await Promise.race([listen(), stopped.promise]);
    } finally {
      hears = false;
      ending.signal.removeEventListener('abort', stop);
      // Ending a connection that isn't there yet would wait for ever.
      const ended = connecting.then(() => client.end()).catch(() => {});
      if (isConnected) await ended;
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
