import type { ServerResponse } from 'node:http';
import { toJson } from 'pegboard';
import { jsonOf, sendJson, sendText } from 'pegboard/serving';
import { rpcCodes } from '../protocol/rpc-error.ts';

/**
 * The answer to one POST: plain JSON for a single response, an event stream as soon as anything precedes it. Nothing
 * here throws; messages to a disconnected client are dropped.
 */
export interface HttpReply {
  /** Sends a message before the end. */
  event(message: object): void;
  /** Sends the response and ends. */
  end(message: object, status?: number): void;
  /** Ends without a response. */
  close(): void;
  /** `gone` is called when the client disconnects before the end. */
  onGone(gone: () => void): void;
}

const keepAliveMs = 15_000;

export function createHttpReply(
  response: ServerResponse,
  headers: { readonly [name: string]: string } = {},
): HttpReply {
  let stream: Disposable | undefined;
  let ended = false;
  const finish = (): void => {
    ended = true;
    stream?.[Symbol.dispose]();
  };
  let onGone: (() => void) | undefined;
  response.once('close', () => {
    // Every response closes eventually.
    if (ended) return;
    finish();
    onGone?.();
  });
  return {
    onGone(gone) {
      onGone = gone;
    },
    event(message) {
      if (ended) return;
      stream ??= openStream(response, headers);
      writeEvent(response, message);
    },
    end(message, status = 200) {
      if (ended) return;
      const begun = stream;
      finish();
      const send = (text: string): void => {
        if (!begun) return sendText(response, status, text, headers);
        response.write(eventOf(text));
        response.end();
      };
      const text = jsonOf(message);
      if (typeof text === 'string') send(text);
      else void text.then(send);
    },
    close() {
      if (ended) return;
      stream ??= openStream(response, headers);
      finish();
      response.end();
    },
  };
}

/** Starts an event stream and keeps it alive until disposed. */
export function openStream(
  response: ServerResponse,
  headers: { readonly [name: string]: string },
): Disposable {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
    ...headers,
  });
  response.flushHeaders();
  const timer = setInterval(() => response.write(': keep-alive\n\n'), keepAliveMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export function writeEvent(response: ServerResponse, message: object): void {
  response.write(eventOf(toJson(message)));
}

const eventOf = (json: string): string => `event: message\ndata: ${json}\n\n`;

/** A refusal that doesn't answer a particular request. */
export function sendRefusal(
  response: ServerResponse,
  status: number,
  message: string,
  options: { readonly code?: number; readonly headers?: { readonly [name: string]: string } } = {},
): void {
  const error = { code: options.code ?? rpcCodes.refused, message };
  sendJson(response, status, { jsonrpc: '2.0', error, id: null }, options.headers);
}
