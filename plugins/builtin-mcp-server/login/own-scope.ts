import { IncomingMessage } from 'node:http';
import { toJson } from 'pegboard';
import { isObject } from '../protocol/exchange.ts';
import { maxUnauthenticatedBytes, readBody, readBytes } from 'pegboard/serving';
import { scope } from './authorization-server.ts';

/**
 * There is one permission, and clients ask for what they know: none, or some of their own. A login is always about that
 * one; what else they ask for is left out instead of refused.
 */
export function askForOwnScope(request: IncomingMessage): void {
  const [path = '', query = ''] = request.url!.split('?');
  const params = new URLSearchParams(query);
  params.set('scope', scope);
  request.url = `${path}?${params.toString()}`;
}

/** The same for client registrations. Undefined when the client disconnected, or sent too much or invalid JSON. */
export async function registerOwnScope(request: IncomingMessage): Promise<IncomingMessage | undefined> {
  const body = await readBody(request, maxUnauthenticatedBytes);
  if (!body || 'status' in body || !isObject(body.json)) return undefined;
  const { scope: _, ...metadata } = body.json;
  return withBody(request, Buffer.from(toJson(metadata)));
}

/** The request with its whole body. Undefined when the client disconnected, or sent too much. */
export async function withShortBody(request: IncomingMessage): Promise<IncomingMessage | undefined> {
  if (request.method !== 'POST') return request;
  const body = await readBytes(request, maxUnauthenticatedBytes);
  return body && 'bytes' in body ? withBody(request, body.bytes) : undefined;
}

function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const again = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders, httpVersion } = request;
  delete headers['transfer-encoding'];
  Object.assign(again, { method, url, rawHeaders, httpVersion, complete: true });
  again.headers = { ...headers, 'content-length': String(body.length) };
  again.push(body);
  again.push(null);
  return again;
}
