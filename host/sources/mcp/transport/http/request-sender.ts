import { setTimeout as sleep } from 'node:timers/promises';
import {
  SdkErrorCode,
  SdkHttpError,
  type StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { visibleText } from '../../../../core/foreign/visible-text.ts';
import { toJson, withWritten } from '../../../../core/documents/written-numbers.ts';
import { challengeIn, ScopeRefused } from '../../oauth/challenge.ts';
import { ConnectionLost } from '../connection-lost.ts';
import {
  createExchange,
  hasResult,
  toResponse,
  type Exchange,
  type PendingRequest,
} from './http-exchange.ts';
import { createHttpRequests, RequestFailed, type HttpOutcome } from './http-requests.ts';
import type { Arrival } from '../inbound.ts';
import { encodeHeader } from './param-headers.ts';
import type { ResolvedServer } from '../../resolve.ts';
import { messagesIn, responseIn } from './response-in-body.ts';
import { isObject } from '../rpc-message.ts';
import type { ServerAuth } from '../../oauth/stored-auth.ts';

type Send = Transport['send'];
type SdkOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

export interface RequestSender extends Disposable {
  readonly send: Send;
}

export interface RequestSenderOptions {
  readonly transport: StreamableHTTPClientTransport;
  readonly server: ResolvedServer & { readonly kind: 'http' | 'sse' };
  readonly auth: ServerAuth | undefined;
  /** Whether the server keeps a stream open on which answers may come. Resolves when that is known. */
  readonly isListening: () => Promise<boolean>;
}

interface Message {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly [name: string]: unknown };
}

/** Maximum delay, whatever the server requests. */
const maxRetryMs = 60_000;

/**
 * Sends requests over HTTP without the SDK's transport, which takes three times as long and sends some again;
 * notifications go through it. A request is sent once. It is sent again only if it was certainly not run and something
 * has changed: after a redirect to the next address, or after a refused login with another token. A JSON-RPC response
 * in the body is the answer, whatever the status.
 */
export function createRequestSender({
  transport,
  server,
  auth,
  isListening,
}: RequestSenderOptions): RequestSender {
  const requests = createHttpRequests();
  /** From the response to a request. */
  let sessionIsGone = false;
  const isModern = (): boolean => (transport.protocolVersion ?? '') >= '2026-07-28';

  const exchange = createExchange({ transport, server, auth, requests });

  const sendRequest = async (message: Message, options: SdkOptions): Promise<void> => {
    if (sessionIsGone) throw new ConnectionLost('its session has ended', 'unsent');
    const arrival: Arrival = { relatedRequestId: message.id };
    const pending: PendingRequest = {
      id: message.id,
      isAnswered: false,
      shown: 'nothing',
      signal: options?.requestSignal,
      onMessage(received) {
        const own = addressed(received, message.id);
        if (isObject(own) && own['id'] === message.id && own['method'] === undefined)
          pending.isAnswered = true;
        const onmessage: Transport['onmessage'] = transport.onmessage;
        onmessage?.(own as never, arrival as never);
        return pending.isAnswered;
      },
    };
    const request = {
      method: 'POST' as const,
      headers: {
        ...(isModern() && modernHeaders(message)),
        ...options?.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: toJson(message),
    };
    const posted = await exchange(request, pending);
    if (!posted) return transport.send(withWritten(message) as never, options);
    if (pending.isAnswered) return;
    if (posted.status === 202 && (await isListening())) return;
    if (posted.status >= 300) return refused(posted, pending);

    const ended = isModern() ? posted : await resume(posted, pending, exchange);
    if (pending.isAnswered) return;
    if (ended.unreadable) throw new RequestFailed('answered', ended.unreadable);
    options?.onRequestStreamEnd?.();
  };

  /**
   * A request that is refused for lack of a login was not run, unless there is a result. The reason may be a JSON-RPC
   * error.
   */
  const refused = (outcome: HttpOutcome, { id, onMessage, shown }: PendingRequest): void => {
    const { status, text } = outcome;
    const challenge = hasResult(outcome, id) ? undefined : challengeIn(toResponse(outcome), server.url);
    const messages = challenge ? undefined : responseIn(outcome, id);
    if (messages) {
      sessionIsGone = transport.sessionId !== undefined && status === 404 && messages.some(isAboutSession);
      return messages.forEach(onMessage);
    }
    if (transport.sessionId !== undefined && isSessionGone(outcome))
      throw new ConnectionLost(sessionRefused(outcome), 'refused');
    if (challenge?.lacksScope) throw new ScopeRefused(challenge.scope, shown);
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}: ${text}`, {
      status,
      text,
    });
  };

  return {
    send(message, options) {
      const isRequest = 'method' in message && 'id' in message;
      const given = options as SdkOptions;
      return isRequest ? sendRequest(message as never, given) : transport.send(withWritten(message), given);
    },
    [Symbol.dispose]: () => requests[Symbol.dispose](),
  };
}

/** What of the parameters says whom a request is about. */
const subjects = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

function modernHeaders({ method, params }: Message): Record<string, string> {
  const subject = params[subjects.get(method) ?? ''];
  return {
    'mcp-method': method,
    ...(typeof subject === 'string' && { 'mcp-name': encodeHeader(subject) }),
  };
}

/** An error without an id can only belong to the one request that was sent. Some servers write the id as text. */
function addressed(received: unknown, id: number): unknown {
  if (!isObject(received) || received['method'] !== undefined) return received;
  const isForNobody = received['error'] !== undefined && (received['id'] ?? null) === null;
  return isForNobody || received['id'] === String(id) ? { ...received, id } : received;
}

/**
 * 404, as the protocol requires, or 400, as older servers send it: an error of the transport, which belongs to no
 * request.
 */
const isSessionGone = (outcome: HttpOutcome): boolean =>
  outcome.status === 404 || (outcome.status === 400 && messagesIn(outcome).some(isAboutSession));

function isAboutSession(message: unknown): boolean {
  const error = isObject(message) ? message['error'] : undefined;
  return isObject(error) && /\bsession\b/i.test(String(error['message']));
}

/** Maximum characters of a body in a message. */
const maxShownLength = 200;

function sessionRefused({ status, text }: HttpOutcome): string {
  const said = visibleText(text).trim().slice(0, maxShownLength);
  return `it answered with HTTP ${status}, as for an expired session${said === '' ? '' : `: ${said}`}`;
}

/**
 * Resumes a stream that ended without the answer. A server may close it repeatedly, as long as more arrives each time.
 * Resolves with the outcome of the last one.
 */
async function resume(
  posted: HttpOutcome,
  pending: PendingRequest,
  exchange: Exchange,
): Promise<HttpOutcome> {
  const { signal } = pending;
  let last = posted;
  let seen: string | undefined;
  while (!pending.isAnswered && last.lastEventId !== undefined && last.lastEventId !== seen) {
    seen = last.lastEventId;
    await sleep(Math.min(last.retryMs, maxRetryMs), undefined, signal && { signal });
    const headers = { accept: 'text/event-stream', 'last-event-id': seen };
    const resumed = await exchange({ method: 'GET', headers }, pending).catch(unresumed);
    if (resumed?.status !== 200) break;
    last = resumed;
  }
  return last;
}

/** The request remains partially answered. */
function unresumed(cause: unknown): undefined {
  if (!(cause instanceof RequestFailed) && !(cause instanceof SdkHttpError)) throw cause;
}
