import type { FetchLike } from '@modelcontextprotocol/client';
import { isPrivateUrl } from '../../core/loopback.ts';
import { readAtMost } from '../../core/read-at-most.ts';

/** Of an answer, in bytes. */
const longestAnswer = 1024 * 1024;

/** Fetches what has to do with a login at `server`: codes, secrets and tokens travel in it. Throws for what travels in the clear. */
export const privateFetch =
  (server: URL): FetchLike =>
  async (target, init) => {
    refuseInTheClear(new URL(target), server);
    const response = await fetch(target, init);
    const body = await readAtMost(response, longestAnswer);
    if (!body) throw new Error(`an answer has more than ${longestAnswer} bytes`);
    const { status, statusText, headers } = response;
    return new Response(status === 204 || status === 304 ? null : body, { status, statusText, headers });
  };

/** https, this machine, or the very host that the owner has written into the server's entry. */
export function refuseInTheClear(url: URL, server: URL): void {
  if (isPrivateUrl(url) || (url.protocol === 'http:' && url.hostname === server.hostname)) return;
  throw new Error(`it sends to ${url.protocol}//, at ${url.origin}, where others could read what is secret`);
}
