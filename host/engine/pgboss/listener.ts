import { startListener, type Listener } from '../../core/postgres/listener.ts';
import type { News } from '../driver.ts';

const channel = 'pegboard_jobs';

export interface NewsOptions {
  readonly url: string;
  readonly onNews: (news: News) => void;
  readonly onError: (cause: unknown) => void;
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

/** Hears what other hosts add and cancel. Where it doesn't, hosts have to poll. */
export const listenForNews = ({ url, onNews, onError }: NewsOptions): Listener =>
  startListener({
    url,
    channel,
    onPayload: (payload) => onNews(readPayload(payload)),
    // What was added while nobody listened.
    onConnected: () => onNews({ kind: 'unknown' }),
    onError,
  });
