import type { FetchLike } from '@modelcontextprotocol/client';

const loopback = /^(localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Of an answer, in bytes. */
const longestAnswer = 1024 * 1024;

/** Fetches what has to do with a login at `server`: codes, secrets and tokens travel in it. Throws for what travels in the clear. */
export const privateFetch =
  (server: URL): FetchLike =>
  async (target, init) => {
    refuseInTheClear(new URL(target), server);
    const response = await fetch(target, init);
    const body = await wholeBody(response);
    const { status, statusText, headers } = response;
    return new Response(status === 204 || status === 304 ? null : body, { status, statusText, headers });
  };

/** https, this machine, or the very host that the owner has written into the server's entry. */
export function refuseInTheClear({ protocol, hostname, origin }: URL, server: URL): void {
  const isPrivate =
    protocol === 'https:' ||
    (protocol === 'http:' && (loopback.test(hostname) || hostname === server.hostname));
  if (!isPrivate)
    throw new Error(`it sends to ${protocol}//, at ${origin}, where others could read what is secret`);
}

async function wholeBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > longestAnswer) throw new Error(`an answer has more than ${longestAnswer} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
