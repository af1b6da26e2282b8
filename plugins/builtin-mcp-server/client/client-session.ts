import type { IncomingHttpHeaders } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/server';
import type { ClientSession, McpClient, Peer } from 'pegboard/serving';
import type { ClientQuestions } from './client-questions.ts';
import { isObject, type Era } from '../protocol/exchange.ts';
import { sessionNameIn, withClientHeaders } from '../http/own-headers.ts';
import { peerTo, refusingPeer } from './client-channel.ts';

/** The session of a connected client; `end` reports that it has left for good. */
export interface OpenSession extends ClientSession {
  end(): void;
  rootsChanged(): void;
}

/** `face` serves only this client. Messages sent here belong to none of its requests. */
export function openClientSession(
  face: McpServer,
  id: string,
  era: Era,
  questions: ClientQuestions,
): OpenSession {
  const { server } = face;
  const capabilities = () => {
    const declared = server.getClientCapabilities();
    return isObject(declared) ? declared : {};
  };
  const ended = new Set<() => void>();
  const changed = new Set<() => void>();
  // The client may have disconnected.
  const lost = (): void => {};
  const peer = (): Peer =>
    peerTo(
      capabilities(),
      (method, params, { signal }) => questions.ask(method, params, { signal }),
      (level, data, logger) =>
        void server.sendLoggingMessage({ level, data, ...(logger !== undefined && { logger }) }).catch(lost),
    );
  // In the modern protocol, requests to the client and log messages are only possible within its own requests.
  const openPeer = (): Peer => (era === 'legacy' ? peer() : refusingPeer(capabilities()));
  return {
    id,
    get capabilities() {
      return capabilities();
    },
    request: async (method, params, options) => openPeer().request(method, params, options),
    log: (level, data, logger) => openPeer().log(level, data, logger),
    onEnd: (listener) => listen(ended, listener),
    onRootsChanged: (listener) => listen(changed, listener),
    end() {
      for (const listener of ended) listener();
      ended.clear();
    },
    rootsChanged() {
      for (const listener of changed) listener();
    },
  };
}

/** In the modern protocol over HTTP, requests are independent unless the client groups them. */
export function modernClient(headers: IncomingHttpHeaders): McpClient {
  const name = sessionNameIn(headers);
  return withClientHeaders(name === undefined ? {} : { session: namedSession(name) }, headers);
}

function namedSession(name: string): ClientSession {
  return {
    ...refusingPeer({}),
    id: `named ${name}`,
    onEnd: () => nothing,
    onRootsChanged: () => nothing,
  };
}

const nothing: Disposable = { [Symbol.dispose]() {} };

function listen(listeners: Set<() => void>, listener: () => void): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => void listeners.delete(listener) };
}
