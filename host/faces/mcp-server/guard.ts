import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may come in. */
export interface Gate {
  readonly port: number;
  readonly token: Buffer;
  /** Host names with port, beside loopback's. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call, beside our own. */
  readonly origins: readonly string[];
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 415 | 421;
  readonly message: string;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const longestTarget = 2048;
export const healthPath = '/healthz';

/**
 * Asked before anything is routed or read. Names exactly one host (against DNS rebinding), refuses pages of other
 * origins, takes the token from the header only, and wants JSON, which no form of a foreign page can send.
 */
export function refusalOf(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method' | 'url'>,
  gate: Gate,
): Refusal | undefined {
  const { headers, method = '', url = '' } = request;
  const occurrences = (name: string): number => {
    let count = 0;
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      const given = request.rawHeaders[i]!;
      if (given.length === name.length && given.toLowerCase() === name) count++;
    }
    return count;
  };

  if (occurrences('host') !== 1 || !allows(gate.hosts, '', gate.port, headers.host)) {
    return { status: 421, message: `This server does not answer for the host "${headers.host ?? ''}".` };
  }
  if (headers.origin !== undefined) {
    if (occurrences('origin') > 1 || !allows(gate.origins, 'http://', gate.port, headers.origin)) {
      return { status: 403, message: 'Pages of this origin may not call this server.' };
    }
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return { status: 403, message: 'Pages of other sites may not call this server.' };
  }
  if (!/^\/[\x21-\x7e]*$/.test(url) || url.startsWith('//') || url.length > longestTarget) {
    return { status: 400, message: 'The request target must be a path.' };
  }
  if (url === healthPath && method === 'GET') return undefined;
  if (occurrences('authorization') > 1 || !carriesToken(headers.authorization, gate.token)) {
    return { status: 401, message: 'Send the token of this server as "Authorization: Bearer …".' };
  }
  if (method === 'POST' && !/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
    return { status: 415, message: 'Content-Type must be application/json.' };
  }
  return undefined;
}

function allows(more: readonly string[], scheme: string, port: number, given: string | undefined): boolean {
  const wanted = given?.toLowerCase();
  if (wanted === undefined) return false;
  if (more.includes(wanted)) return true;
  return loopback.some((name) => wanted === `${scheme}${name}:${port}`);
}

/** In constant time for tokens of the right length, which is no secret. */
function carriesToken(header: string | undefined, token: Buffer): boolean {
  const given = /^Bearer ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1];
  if (given === undefined || given.length !== token.length) return false;
  return timingSafeEqual(Buffer.from(given), token);
}
