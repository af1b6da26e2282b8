import {
  InsufficientScopeError,
  ProtocolError,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { pegboard } from '../../../core/own-command.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import { ScopeRefused } from '../oauth/challenge.ts';
import { ConnectionLost, type Fate } from './connection-lost.ts';
import { RequestFailed } from './http/http-requests.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import { shorten } from '../../../core/text/shorten.ts';

/** System calls that fail before any byte of the request can have been sent. */
const beforeSending = new Set(['connect', 'getaddrinfo']);

/**
 * Converts a failure to send over HTTP to an error for the user, or to a ConnectionLost, after which to connect again.
 */
export function explainFailure(server: string, cause: unknown): Error {
  if (cause instanceof ConnectionLost || cause instanceof PegboardError) return cause;
  const status = statusOf(cause);
  if (status === 401 || cause instanceof UnauthorizedError) return unauthorized(server);
  if (cause instanceof InsufficientScopeError) return insufficientScope(server, cause);
  if (cause instanceof ProtocolError) return refused(server, cause);
  if (status === undefined) return networkFailure(cause);
  const body = cause instanceof SdkHttpError ? cause.data['text'] : messageOf(cause);
  const said = visibleText(typeof body === 'string' ? body : '')
    .trim()
    .slice(0, 500);
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

function unauthorized(server: string): PegboardError {
  return new PegboardError(
    'PEG_SERVER_UNAUTHORIZED',
    `MCP server "${server}" requires a login (HTTP 401). Log in with \`${pegboard} mcp login ${server}\`, or give it an Authorization header.`,
    { data: { server } },
  );
}

const scopeAdvice = {
  login: {
    why: 'refuses this with the permissions that were granted at login',
    help: (login: string) => `Log in again with ${login}.`,
  },
  header: {
    why: 'refuses this with the Authorization header of its entry, which has too few permissions',
    help: (login: string) => `Use one that has them, or remove it and log in with ${login}.`,
  },
  nothing: {
    why: 'requires a login for this',
    help: (login: string) => `Log in with ${login}, or give it an Authorization header.`,
  },
} as const;

function insufficientScope(server: string, cause: InsufficientScopeError): PegboardError {
  const { requiredScope } = cause;
  const wanted = requiredScope === undefined ? '' : ` It asks for: ${requiredScope}.`;
  const { why, help } = scopeAdvice[cause instanceof ScopeRefused ? cause.shown : 'login'];
  return new PegboardError(
    'PEG_SERVER_UNAUTHORIZED',
    `MCP server "${server}" ${why} (HTTP 403).${wanted} ${help(`\`${pegboard} mcp login ${server}\``)}`,
    { cause, data: { server, scope: requiredScope } },
  );
}

/** Characters of what a server says of its refusal. */
const maxSaidLength = 2_000;

function refused(server: string, { code, message, data }: ProtocolError): PegboardError {
  const text = shorten(visibleText(message), maxSaidLength);
  return new PegboardError('PEG_SERVER_ERROR', `MCP server "${server}" refused the connection: ${text}`, {
    data: { code, data, message: text },
  });
}

/** `fetch` only reports that it failed; the reason is in its causes. */
function networkFailure(cause: unknown): ConnectionLost {
  let rootCause = cause;
  let fate: Fate = 'unknown';
  let isWrapped = false;
  for (let at = cause; at instanceof Error; at = at.cause) {
    // If several addresses were tried, the first one counts.
    rootCause = at instanceof AggregateError ? (at.errors[0] ?? at) : at;
    if (at instanceof TypeError || at instanceof SyntaxError || at instanceof RequestFailed) isWrapped = true;
    if (at instanceof RequestFailed) ({ fate } = at);
    const { syscall, code } = rootCause as NodeJS.ErrnoException;
    if (beforeSending.has(syscall ?? '') || code === 'UND_ERR_CONNECT_TIMEOUT') fate = 'unsent';
  }
  const shown = isWrapped || fate === 'unsent' ? rootCause : cause;
  return new ConnectionLost(inPlainWords(shown), fate, cause);
}

/** Rewords the messages of Node, fetch and JSON.parse for users. */
export function inPlainWords(cause: unknown): string {
  const { code, address, port, hostname } = cause as NodeJS.ErrnoException & {
    readonly [at: string]: string | undefined;
  };
  const message = messageOf(cause);
  const place =
    address === undefined ? '' : ` at ${address.includes(':') ? `[${address}]` : address}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens${place} (${code}): is it running, and is the port correct?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `there is no host "${hostname}", or its name can't be looked up now`;
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'it closed the connection before it had answered';
  }
  if (message === 'bad port') return 'browsers and fetch refuse to connect to its port: use another one';
  if (cause instanceof SyntaxError)
    return `its answer is not valid JSON (${message})${beginsOtherwise(message) ? ': is this the address of an MCP server?' : ''}`;
  return misfitIn(message) ?? message;
}

/**
 * Whether the parser failed at the first character. JSON that is truncated or fails later does come from an MCP server.
 */
const beginsOtherwise = (message: string): boolean => /^Unexpected token '(.)', "\s*\1/su.test(message);

/** The SDK reports an invalid answer as a JSON list of problems. */
function misfitIn(message: string): string | undefined {
  try {
    const [first] = parseJson(message.slice(message.indexOf('['))) as [{ path: unknown[]; message: string }];
    const place = first.path.length === 0 ? 'it' : `"${first.path.join('.')}"`;
    const [, wanted, found] = /^Invalid input: expected (\S+), received (\S+)$/.exec(first.message) ?? [];
    const kind = found === 'null' ? 'null' : `of type ${found}`;
    const is = found === 'undefined' ? 'is missing' : `is ${kind}`;
    const why =
      wanted === undefined ? `${place}: ${first.message}` : `${place} must be of type ${wanted}, but ${is}`;
    const isVague = first.path.length === 0 && wanted === undefined;
    return `its answer to the handshake is not valid in MCP${isVague ? '' : ` (${why})`}`;
  } catch {
    return undefined;
  }
}
