import type { FetchLike } from '@modelcontextprotocol/client';
import { isLoopback } from '../../../../core/loopback.ts';
import { readAtMost } from '../../../../core/files/read-at-most.ts';

/** Of an answer, in bytes. */
const maxResponseBytes = 1024 * 1024;

/** Fetches what has to do with a login at `server`: codes, secrets and tokens travel in it. Throws for what travels in the clear. */
export const privateFetch =
  (server: URL): FetchLike =>
  async (target, init) => {
    refuseInTheClear(new URL(target), server);
    const response = await fetch(target, init);
    const body = await readAtMost(response, maxResponseBytes);
    if (!body) throw new Error(`an answer has more than ${maxResponseBytes} bytes`);
    const { status, statusText, headers } = response;
    return new Response(status === 204 || status === 304 ? null : body, { status, statusText, headers });
  };

/**
 * https, or http as the owner has written it into the server's entry: to that host, and on this machine when that is where the
 * server is. A server elsewhere can't direct requests to programs on this machine.
 */
export function refuseInTheClear(url: URL, server: URL): void {
  if (url.protocol === 'https:') return;
  const isSameHost = url.hostname === server.hostname || (isLoopback(url) && isLoopback(server));
  if (url.protocol === 'http:' && server.protocol === 'http:' && isSameHost) return;
  throw new Error(
    `it sends to ${url.protocol}//, at ${url.origin}, where others could read what is secret, or which is not its own to name`,
  );
}
