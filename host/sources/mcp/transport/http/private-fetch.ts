import type { FetchLike } from '@modelcontextprotocol/client';
import { isLoopback } from '../../../../core/loopback.ts';
import { readAtMost } from '../../../../core/http/read-at-most.ts';

/** Maximum bytes of a response. */
const maxResponseBytes = 1024 * 1024;

/** A fetch for logins at `server`, whose requests carry codes, secrets and tokens. Throws for unencrypted addresses. */
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
 * https, or http if the owner's entry for the server uses it: to the same host, or on this machine if the server is
 * there. A server elsewhere can't direct requests to programs on this machine.
 */
export function refuseInTheClear(url: URL, server: URL): void {
  if (url.protocol === 'https:') return;
  const isSameHost = url.hostname === server.hostname || (isLoopback(url) && isLoopback(server));
  if (url.protocol === 'http:' && server.protocol === 'http:' && isSameHost) return;
  throw new Error(
    `it sends secrets to ${url.origin}, which is not encrypted, or is an address on this machine that the server may not name`,
  );
}
