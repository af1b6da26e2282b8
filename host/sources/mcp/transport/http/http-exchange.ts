import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ScopeRefused } from '../../oauth/challenge.ts';
import type { ServerAuth } from '../../oauth/stored-auth.ts';
import type { ResolvedServer } from '../../resolve.ts';
import {
  headerOf,
  type AnswerHandlers,
  type HttpOutcome,
  type HttpRequest,
  type HttpRequests,
} from './http-requests.ts';
import { followRedirects } from './redirects.ts';
import { answers, messagesIn, responseIn } from './response-in-body.ts';

/** A pending JSON-RPC request, which may take several HTTP requests. */
export interface PendingRequest extends AnswerHandlers {
  readonly id: number;
  isAnswered: boolean;
  /** How the last HTTP request was authorized. */
  shown: ScopeRefused['shown'];
}

/**
 * Sends one HTTP request, with the login and the session of the connection. Follows redirects, and repeats the request
 * when a login was refused and there is another token. Undefined when only `fetch` can send it.
 */
export type Exchange = (
  request: Omit<HttpRequest, 'url'>,
  pending: PendingRequest,
) => Promise<HttpOutcome | undefined>;

export interface ExchangeOptions {
  readonly transport: StreamableHTTPClientTransport;
  readonly server: ResolvedServer & { readonly kind: 'http' | 'sse' };
  readonly auth: ServerAuth | undefined;
  readonly requests: HttpRequests;
}

export function createExchange({ transport, server, auth, requests }: ExchangeOptions): Exchange {
  const ofEntry = new Headers(server.headers).has('authorization') ? 'header' : 'nothing';
  const connectionHeaders = (token: string | undefined): Record<string, string> => ({
    // Without it, any compression would be accepted.
    'accept-encoding': 'identity',
    ...server.headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(transport.sessionId !== undefined && { 'mcp-session-id': transport.sessionId }),
    ...(transport.protocolVersion !== undefined && { 'mcp-protocol-version': transport.protocolVersion }),
  });

  return async (request, pending) => {
    const repeated = new Set<number>();
    for (;;) {
      const token = await auth?.token();
      const headers = { ...connectionHeaders(token), ...request.headers };
      pending.shown = token === undefined ? ofEntry : 'login';
      const { status, outcome } = await followRedirects(server.url, request.method, async (url) => {
        const one = await requests.send({ ...request, url, headers }, pending);
        const isFinal = !one || responseIn(one, pending.id) !== undefined;
        return {
          status: one?.status ?? 0,
          location: isFinal ? undefined : headerOf(one.headers, 'location'),
          outcome: one,
        };
      });
      if (!auth || (status !== 401 && status !== 403) || repeated.has(status)) return outcome;
      if (hasResult(outcome!, pending.id)) return outcome;
      repeated.add(status);
      if (!(await auth.hasAnother(toResponse(outcome!), token))) return outcome;
    }
  };
}

export const hasResult = (outcome: HttpOutcome, id: number): boolean =>
  messagesIn(outcome).some((message) => answers(message, id) && 'result' in (message as object));

/** The part that the SDK's OAuth needs. */
export const toResponse = ({ status, headers }: HttpOutcome): Response => {
  const challenge = headerOf(headers, 'www-authenticate');
  return new Response(null, {
    status,
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
  });
};
