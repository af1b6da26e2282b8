import type { IncomingMessage } from 'node:http';
import { loopbackNames } from '../loopback.ts';

/** Which requests a server on this machine accepts. */
export interface RequestRules {
  readonly port: number;
  /** Host names with port, in addition to loopback. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call, in addition to our own. */
  readonly origins: readonly string[];
}

export interface Refusal {
  readonly status: 400 | 403 | 415 | 421;
  readonly message: string;
}

const maxTargetLength = 2048;
export const healthPath = '/healthz';

/** The part of a request that is checked. */
export type Head = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method' | 'url'>;

/**
 * Checks a request before anything is routed or read. Requires exactly one allowed host (against DNS rebinding) and
 * refuses pages of other origins; `mayBeLinked` is for a page that other sites send a browser to.
 */
export function refusalOf(
  request: Head,
  gate: RequestRules,
  mayBeLinked: (path: string) => boolean = () => false,
): Refusal | undefined {
  const { headers, url = '' } = request;
  const occurrences = (name: string): number => countOf(request, name);

  if (occurrences('host') !== 1 || !allows(gate.hosts, '', gate.port, headers.host)) {
    return { status: 421, message: `This server does not answer for the host "${headers.host ?? ''}".` };
  }
  if (headers.origin !== undefined) {
    if (occurrences('origin') > 1 || !allows(gate.origins, 'http://', gate.port, headers.origin)) {
      return { status: 403, message: 'Pages of this origin may not call this server.' };
    }
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink(request, mayBeLinked)) {
    return { status: 403, message: 'Pages of other sites may not call this server.' };
  }
  if (!/^\/[\x21-\x7e]*$/.test(url) || url.startsWith('//') || url.length > maxTargetLength) {
    return { status: 400, message: 'The request target must be a path.' };
  }
  return undefined;
}

/** Requires JSON, which forms of foreign pages can't send. */
export function contentRefusal({ headers, method }: Head): Refusal | undefined {
  if (method === 'POST' && !/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
    return { status: 415, message: 'Content-Type must be application/json.' };
  }
  return undefined;
}

/** How often a header occurs. */
export function countOf({ rawHeaders }: Head, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i]!;
    if (given.length === name.length && given.toLowerCase() === name) count++;
  }
  return count;
}

/** Whether a browser navigates to the page; false for anything that a page loads or sends. */
function isLink({ headers, method, url = '' }: Head, mayBeLinked: (path: string) => boolean): boolean {
  const isShown = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return method === 'GET' && isShown && mayBeLinked(url.split('?')[0]!);
}

function allows(more: readonly string[], scheme: string, port: number, given: string | undefined): boolean {
  const wanted = given?.toLowerCase();
  if (wanted === undefined) return false;
  if (more.includes(wanted)) return true;
  return loopbackNames.some((name) => wanted === `${scheme}${name}:${port}`);
}
