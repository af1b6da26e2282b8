import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../api/result.ts';
import type { OpenSession } from '../client/client-session.ts';
import type { Endpoint } from '../endpoint.ts';
import { isObject } from '../protocol/exchange.ts';
import { createLongLivedServer } from '../protocol/long-lived.ts';
import { refusedInitialize } from './initialize.ts';
import { malformedRefusal } from './malformed.ts';
import { sendRefusal, sendJson } from './http-reply.ts';
import { rpcCodes } from '../protocol/rpc-error.ts';
import { isMessage, withResult } from '../protocol/rpc-message.ts';
import { createSessionTransport, type SessionTransport } from './session-transport.ts';
import type { Signer } from './signer.ts';

/**
 * Legacy clients of one endpoint. A session's id holds, signed, what its client said when it connected: whoever
 * comes with an id that this process doesn't know (after a restart, or after a long silence) goes on as if nothing
 * had happened. Most clients can't start over by themselves.
 */
export interface Sessions extends AsyncDisposable {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
}

interface Session {
  readonly id: string;
  readonly transport: SessionTransport;
  readonly client: OpenSession;
  usedAt: number;
}

const idPurpose = 'session';
const header = 'mcp-session-id';
/** A session without an open request or stream is forgotten after this; its id brings it back. */
const keptIdleForMs = 10 * 60_000;
/** Clients that only leave, without a word, would otherwise fill the memory in those minutes: 40 KB each. */
const maxIdle = 100;
const maxMessages = 100;
const maxEnded = 10_000;
/** The protocol versions that have sessions. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export function createSessions(endpoint: Endpoint, signer: Signer): Sessions {
  const { preset = null, path = null } = endpoint.selection;
  /** A session goes on only where it would be shown the same. */
  const selection = JSON.stringify([preset, path]);
  const sessions = new Map<string, Session>();
  const restoring = new Map<string, Promise<Session>>();
  /** Ended by their clients: these don't come back. */
  const ended = new Set<string>();

  const open = async (id: string): Promise<Session> => {
    const transport = createSessionTransport({ 'Mcp-Session-Id': id });
    const { face, session, calls } = createLongLivedServer(endpoint, {
      era: 'legacy',
      // The same after a restart, or after a long silence.
      id: createHash('sha256').update(id).digest('base64url'),
      headersOf: transport.headersOf,
      send: (message, options) => transport.send(message, options),
    });
    await face.connect(transport);
    const { onmessage } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
    transport.onmessage = (message) => void (calls?.take(message) || onmessage?.(message));
    return { id, transport, client: session, usedAt: Date.now() };
  };

  const restore = async (id: string, initialize: JsonObject): Promise<Session> => {
    const session = await open(id);
    replay(session.transport, initialize);
    // What changed meanwhile is unknown, so that the client had better look again.
    await session.transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    add(session);
    return session;
  };

  const find = async (id: string): Promise<Session | undefined> => {
    const known = sessions.get(id);
    if (known || ended.has(id)) return known;
    const said = signer.open(idPurpose, id);
    if (!said || said['selection'] !== selection) return undefined;
    let restored = restoring.get(id);
    if (!restored) {
      restored = restore(id, said['initialize'] as JsonObject).finally(() => restoring.delete(id));
      restoring.set(id, restored);
    }
    return restored;
  };

  /** The last used one is the last in order. */
  const use = (session: Session): void => {
    session.usedAt = Date.now();
    sessions.delete(session.id);
    sessions.set(session.id, session);
  };
  const add = (session: Session): void => {
    if (sessions.size >= maxIdle) {
      const idle = [...sessions.values()].filter(({ transport }) => !transport.busy);
      for (const longest of idle.slice(0, Math.max(0, idle.length + 1 - maxIdle))) void end(longest);
    }
    use(session);
  };
  const forgetIdle = setInterval(() => {
    const before = Date.now() - keptIdleForMs;
    for (const session of sessions.values()) {
      if (session.usedAt < before && !session.transport.busy) void end(session);
    }
  }, 60_000).unref();
  const end = async ({ id, transport }: Session): Promise<void> => {
    sessions.delete(id);
    await transport.close();
  };

  const connect = async (
    message: JSONRPCMessage,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const refusal = refusedInitialize(message);
    if (refusal) return sendJson(response, 400, refusal);
    const initialize = essentials((message as { readonly params?: unknown }).params);
    const id = signer.seal(idPurpose, { id: randomUUID(), selection, initialize });
    const session = await open(id);
    add(session);
    session.transport.post([message], request.headers, response);
  };

  return {
    async handle(request, response, body) {
      const id = request.headers[header] as string | undefined;
      const messages = (Array.isArray(body) ? body : [body]).map(withResult) as readonly JSONRPCMessage[];
      if (request.method === 'POST') {
        if (messages.length > maxMessages) {
          const message = `A batch has at most ${maxMessages} messages.`;
          return sendRefusal(response, 400, message, { code: rpcCodes.invalidRequest });
        }
        if (messages.length === 0) return sendJson(response, 400, malformedRefusal([]));
        const malformed = messages.find((message) => !isMessage(message));
        if (malformed !== undefined) return sendJson(response, 400, malformedRefusal(malformed));
        if (messages.length === 1 && isInitialize(messages[0]!))
          return connect(messages[0]!, request, response);
      }
      if (id === undefined) return sendRefusal(response, 400, 'The Mcp-Session-Id header is missing.');
      const session = await find(id);
      if (!session) {
        return sendRefusal(response, 404, 'Session not found', { code: rpcCodes.sessionNotFound });
      }
      const version = request.headers['mcp-protocol-version'] as string | undefined;
      if (version !== undefined && !versions.includes(version)) {
        return sendRefusal(
          response,
          400,
          `Unsupported protocol version ${version}; there are ${versions.join(', ')}.`,
        );
      }
      use(session);
      if (request.method === 'GET') return listen(session, request, response);
      if (request.method === 'POST') {
        if (session.transport.post(messages, request.headers, response, Array.isArray(body))) return;
        const message = 'A request with this id is still being answered.';
        return sendRefusal(response, 400, message, { code: rpcCodes.invalidRequest });
      }
      if (ended.size >= maxEnded) ended.delete(ended.values().next().value!);
      ended.add(id);
      await end(session);
      session.client.end();
      response.writeHead(200).end();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(forgetIdle);
      await Promise.all([...sessions.values()].map(end));
    },
  };
}

function listen({ transport }: Session, request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.accept?.includes('text/event-stream')) return transport.listen(response);
  return sendRefusal(response, 406, 'Accept must include text/event-stream.');
}

/** Tells the SDK's server what the client said when it first connected; the client has long had the response. */
function replay(transport: SessionTransport, initialize: JsonObject): void {
  transport.onmessage?.({
    jsonrpc: '2.0',
    id: 'restored',
    method: 'initialize',
    params: initialize,
  } as never);
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

/** What of `initialize` a restored session needs, and no more: an id travels in a header of every request. */
function essentials(params: unknown): JsonObject {
  const { protocolVersion, clientInfo, capabilities } = asObject(params);
  const { name, version } = asObject(clientInfo);
  return {
    protocolVersion: short(protocolVersion),
    clientInfo: { name: short(name), version: short(version) },
    capabilities: Object.fromEntries(
      Object.entries(restoredCapabilities).flatMap(([capability, parts]) => {
        const declared = asObject(capabilities)[capability];
        if (!isObject(declared)) return [];
        return [
          [
            capability,
            Object.fromEntries(parts.filter((part) => part in declared).map((part) => [part, {}])),
          ],
        ];
      }),
    ),
  };
}

const restoredCapabilities = {
  elicitation: ['form', 'url'],
  sampling: ['tools', 'context'],
  roots: [],
} as const;
const short = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 64) : 'unknown');
const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

const isInitialize = (message: JSONRPCMessage): boolean =>
  'method' in message && 'id' in message && message.method === 'initialize';
