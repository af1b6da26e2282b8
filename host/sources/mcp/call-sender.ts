import { setTimeout as sleep } from 'node:timers/promises';
import {
  SdkErrorCode,
  SdkHttpError,
  type AuthProvider,
  type StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { toJson, withWritten } from '../../core/documents/written-numbers.ts';
import { createPoster } from './http-post.ts';
import type { Arrival } from './inbound.ts';
import { encodeHeader } from './param-headers.ts';
import type { ResolvedServer } from './resolve.ts';

type Send = Transport['send'];
type SdkOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

export interface CallSender extends Disposable {
  readonly send: Send;
}

/** However long a server wants to be left alone. */
const longestRetryMs = 60_000;

/** Redirects, logins and permissions are the SDK's business. */
const leftToSdk = new Set([301, 302, 303, 307, 308, 401, 403]);

/** Sends tool calls over HTTP past the SDK's transport, which takes three times as long; everything else goes through it. */
export function createCallSender(
  transport: StreamableHTTPClientTransport,
  server: ResolvedServer & { readonly kind: 'http' | 'sse' },
  authProvider: AuthProvider | undefined,
): CallSender {
  const poster = createPoster(server.url);

  const sendCall = async (
    message: { readonly id: number; readonly params: { readonly name: string } },
    options: SdkOptions,
  ): Promise<void> => {
    let answered = false;
    const arrival: Arrival = { relatedRequestId: message.id };
    const onMessage = (received: unknown): void => {
      if ((received as { id?: unknown }).id === message.id) answered = true;
      const onmessage: Transport['onmessage'] = transport.onmessage;
      onmessage?.(received as never, arrival as never);
    };
    const token = await authProvider?.token();
    const headers: Record<string, string> = {
      ...server.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(transport.sessionId !== undefined && { 'mcp-session-id': transport.sessionId }),
      ...(transport.protocolVersion !== undefined && { 'mcp-protocol-version': transport.protocolVersion }),
      ...(isModern(transport.protocolVersion) && {
        'mcp-method': 'tools/call',
        'mcp-name': encodeHeader(message.params.name),
      }),
      ...options?.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const posted = poster.post(toJson(message), headers, { onMessage, signal: options?.requestSignal });
    if (!posted) return transport.send(withWritten(message) as never, options);
    const { status, text, lastEventId, retryMs } = await posted;
    // 202: the answer comes another way.
    if (answered || status === 202) return;
    if (leftToSdk.has(status)) return transport.send(withWritten(message) as never, options);
    if (status >= 300) return refused(status, text, message.id, onMessage);
    if (lastEventId === undefined) return options?.onRequestStreamEnd?.();
    await sleep(Math.min(retryMs, longestRetryMs), undefined, { signal: options?.requestSignal });
    return transport.send(withWritten(message) as never, { ...options, resumptionToken: lastEventId });
  };
  return {
    send(message, options) {
      const isCall = 'method' in message && message.method === 'tools/call';
      const given = options as SdkOptions;
      return isCall ? sendCall(message as never, given) : transport.send(withWritten(message), given);
    },
    [Symbol.dispose]: () => poster[Symbol.dispose](),
  };
}

/** Revisions are dates. */
const isModern = (version: string | undefined): boolean => version !== undefined && version >= '2026-07-28';

/** A refusal may say why as JSON-RPC does. */
function refused(status: number, text: string, id: number, onMessage: (message: unknown) => void): void {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // No JSON: told below as it is.
  }
  if ((body as { id?: unknown } | undefined)?.id === id) return onMessage(body);
  throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}: ${text}`, { status, text });
}
