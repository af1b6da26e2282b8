import type { ServerResponse } from 'node:http';
import { toJson } from '../documents/written-numbers.ts';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: { readonly [name: string]: string } = {},
): void {
  const text = toJson(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
