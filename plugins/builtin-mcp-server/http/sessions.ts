import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Endpoint } from '../endpoint.ts';
import { rpcCodes } from '../protocol/rpc-error.ts';
import { isMessage, withResult } from '../protocol/rpc-message.ts';
import { sendJson } from 'pegboard/serving';
import { sendRefusal } from './http-reply.ts';
import { isInitialize, refusedInitialize, toRestorable } from './initialize.ts';
import { malformedRefusal } from './malformed.ts';
import { SessionTable, type Session, type SharedSessions } from './session-table.ts';
import type { Signer } from './signer.ts';

/** Requests of legacy clients of one endpoint. */
export interface Sessions extends AsyncDisposable {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
}

const header = 'mcp-session-id';
const maxMessages = 100;
/** The protocol versions that have sessions. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** `shared`: the client may come to other hosts too. */
export function createSessions(endpoint: Endpoint, signer: Signer, shared?: SharedSessions): Sessions {
  const sessions = new SessionTable(endpoint, signer, shared);
  return {
    async handle(request, response, body) {
      const messages = (Array.isArray(body) ? body : [body]).map(withResult) as readonly JSONRPCMessage[];
      if (request.method === 'POST') {
        if (refuseMessages(messages, response)) return;
        const [first] = messages;
        if (messages.length === 1 && isInitialize(first!)) return connect(sessions, first, request, response);
      }
      const session = await findSession(sessions, request, response);
      if (!session) return;
      sessions.markUsed(session);
      if (request.method === 'GET') return listen(session, request, response);
      if (request.method === 'POST') {
        await sessions.share(session, messages);
        if (session.transport.post(messages, request.headers, response, Array.isArray(body))) return;
        const message = 'A request with this id is still being answered.';
        return sendRefusal(response, 400, message, { code: rpcCodes.invalidRequest });
      }
      await sessions.end(session);
      response.writeHead(200).end();
    },
    [Symbol.asyncDispose]: () => sessions[Symbol.asyncDispose](),
  };
}

/** True when the body is refused and the response has been sent. */
function refuseMessages(messages: readonly unknown[], response: ServerResponse): boolean {
  if (messages.length > maxMessages) {
    const message = `A batch has at most ${maxMessages} messages.`;
    sendRefusal(response, 400, message, { code: rpcCodes.invalidRequest });
    return true;
  }
  const malformed = messages.length === 0 ? [] : messages.find((message) => !isMessage(message));
  if (malformed === undefined) return false;
  sendJson(response, 400, malformedRefusal(malformed));
  return true;
}

async function connect(
  sessions: SessionTable,
  message: JSONRPCRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refusedInitialize(message);
  if (refusal) return sendJson(response, 400, refusal);
  const session = await sessions.create(toRestorable(message.params));
  session.transport.post([message], request.headers, response);
}

/** Undefined when the request is refused and the response has been sent. */
async function findSession(
  sessions: SessionTable,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<Session | undefined> {
  const refuse = (status: number, message: string, code?: number): undefined => {
    sendRefusal(response, status, message, code === undefined ? {} : { code });
  };
  const id = headers[header] as string | undefined;
  if (id === undefined) return refuse(400, 'The Mcp-Session-Id header is missing.');
  const session = await sessions.find(id);
  if (!session) return refuse(404, 'Session not found', rpcCodes.sessionNotFound);
  const version = headers['mcp-protocol-version'] as string | undefined;
  if (version !== undefined && !versions.includes(version))
    return refuse(400, `Unsupported protocol version ${version}; there are ${versions.join(', ')}.`);
  return session;
}

function listen({ transport }: Session, request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.accept?.includes('text/event-stream')) return transport.listen(response);
  return sendRefusal(response, 406, 'Accept must include text/event-stream.');
}
