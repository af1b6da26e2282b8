import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { News } from '../driver.ts';

const channel = 'pegboard_jobs';
/** Milliseconds until the next try to connect. */
const pauseMs = 1_000;

export interface ListenerOptions {
  readonly url: string;
  readonly onNews: (news: News) => void;
  readonly onError: (cause: unknown) => void;
}

/** One connection that hears what other hosts add and cancel. */
export interface Listener extends AsyncDisposable {
  /** False behind a PgBouncer that pools transactions: no news arrive, and hosts have to poll. */
  readonly hears: boolean;
}

/** The statement that tells every host. Its parameter is the result of `toPayload`. */
export const notify = `select pg_notify('${channel}', $1)`;

export const toPayload = (news: News): string =>
  news.kind === 'cancelled'
    ? `cancelled ${news.job}`
    : news.kind === 'added'
      ? `added ${news.queue} ${news.at ?? ''}`
      : 'unknown';

function readPayload(payload: string): News {
  const [kind, name, at] = payload.split(' ');
  if (kind === 'cancelled' && name) return { kind, job: name };
  if (kind === 'added' && name) return { kind, queue: name, ...(at && { at: Number(at) }) };
  return { kind: 'unknown' };
}

export function startListener({ url, onNews, onError }: ListenerOptions): Listener {
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
      own.on('notification', ({ payload = '' }) => onNews(readPayload(payload)));
      await own.query(`listen ${channel}`);
      hears = await hearsItself(own);
      // What was added while nobody listened.
      onNews({ kind: 'unknown' });
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
async function hearsItself(client: Client): Promise<boolean> {
  const heard = new Promise<boolean>((resolve) => {
    client.once('notification', () => resolve(true));
    setTimeout(() => resolve(false), 2_000).unref();
  });
  await client.query(notify, ['unknown']);
  return await heard;
}
