import {
  InsufficientScopeError,
  ProtocolError,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { PegboardError, messageOf } from '../../core/errors.ts';
import { ConnectionLost } from './connection-lost.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';

/** Failures before a byte of the request can have left. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What sending over HTTP failed with: an error for the user, or a ConnectionLost after which to connect anew. */
export function explainFailure(server: string, cause: unknown): Error {
  if (cause instanceof ConnectionLost || cause instanceof PegboardError) return cause;
  const status = statusOf(cause);
  if (status === 401 || cause instanceof UnauthorizedError) return unauthorized(server);
  if (cause instanceof InsufficientScopeError) return insufficientScope(server, cause);
  if (cause instanceof ProtocolError) return refused(server, cause);
  if (status === undefined) return networkFailure(cause);
  const body = cause instanceof SdkHttpError ? cause.data['text'] : messageOf(cause);
  const text = typeof body === 'string' ? body : '';
  if (status === 404 || (status === 400 && /session/i.test(text))) {
    return new ConnectionLost('its session has ended', false, cause);
  }
  const said = visibleText(text).trim().slice(0, 500);
  return new PegboardError(
    'PEG_SERVER_ERROR',
    `MCP server "${server}" answered with HTTP ${status}${said === '' ? '' : `: ${said}`}`,
    { cause, data: { status } },
  );
}

export function statusOf(cause: unknown): number | undefined {
  if (cause instanceof SdkHttpError) return cause.data.status;
  return cause instanceof SseError ? cause.code : undefined;
}

export function unauthorized(server: string): PegboardError {
  return new PegboardError(
    'PEG_SERVER_UNAUTHORIZED',
    `MCP server "${server}" wants to know who you are (HTTP 401). Log in with \`pegboard mcp login ${server}\`, or give it an Authorization header.`,
    { data: { server } },
  );
}

function insufficientScope(server: string, cause: InsufficientScopeError): PegboardError {
  const { requiredScope } = cause;
  const wanted = requiredScope === undefined ? '' : ` It asks for: ${requiredScope}.`;
  return new PegboardError(
    'PEG_SERVER_UNAUTHORIZED',
    `MCP server "${server}" refuses this to the permissions that were granted at the login.${wanted} Log in again with \`pegboard mcp login ${server}\`.`,
    { cause, data: { server, scope: requiredScope } },
  );
}

function refused(server: string, { code, message, data }: ProtocolError): PegboardError {
  const text = visibleText(message);
  return new PegboardError('PEG_SERVER_ERROR', `MCP server "${server}" refused the connection: ${text}`, {
    data: { code, data, message: text },
  });
}

/** `fetch` says no more than that it failed; what happened is in its causes. */
function networkFailure(cause: unknown): ConnectionLost {
  let deepest = cause;
  let sent = true;
  for (let at = cause; at instanceof Error; at = at.cause) {
    deepest = at;
    if (neverSent.has((at as NodeJS.ErrnoException).code ?? '')) sent = false;
  }
  const told = cause instanceof TypeError || !sent ? deepest : cause;
  return new ConnectionLost(messageOf(told), sent, cause);
}
