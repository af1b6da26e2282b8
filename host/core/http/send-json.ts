import type { ServerResponse } from 'node:http';
import { toJson } from '../documents/written-numbers.ts';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: { readonly [name: string]: string } = {},
): void {
  sendText(response, status, toJson(body), headers);
}

/** `text`: JSON. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
