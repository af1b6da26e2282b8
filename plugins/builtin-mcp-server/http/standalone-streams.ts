import type { ServerResponse } from 'node:http';
import { toJson } from 'pegboard';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { openStream, writeEvent } from './http-reply.ts';

/**
 * Streams of one session for messages that belong to none of its requests. Notifications that find no open stream are
 * kept for the next one: clients hardly ever reopen theirs after a restart, but they do call again.
 */
export class StandaloneStreams {
  readonly #streams: ServerResponse[] = [];
  /** By text, so that each is kept once. */
  readonly #undelivered = new Map<string, JSONRPCMessage>();
  readonly #headers: { readonly [name: string]: string };

  constructor(headers: { readonly [name: string]: string }) {
    this.#headers = headers;
  }

  get size(): number {
    return this.#streams.length;
  }

  /** Keeps the response open until its client disconnects. */
  open(response: ServerResponse): void {
    const stream = openStream(response, this.#headers);
    this.#streams.push(response);
    response.once('close', () => {
      stream[Symbol.dispose]();
      this.#streams.splice(this.#streams.indexOf(response), 1);
    });
    this.flushTo((message) => writeEvent(response, message));
  }

  /** Throws for a request when no stream is open. */
  send(message: JSONRPCMessage): void {
    const stream = this.#streams.at(-1);
    if (stream) return writeEvent(stream, message);
    if ('method' in message && 'id' in message)
      throw new Error('the client has no stream open to be asked on');
    if ('method' in message) this.#undelivered.set(toJson(message), message);
  }

  flushTo(write: (message: JSONRPCMessage) => void): void {
    for (const message of this.#undelivered.values()) write(message);
    this.#undelivered.clear();
  }

  end(): void {
    for (const stream of this.#streams) stream.end();
  }
}
