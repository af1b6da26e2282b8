import { extractWWWAuthenticateParams, InsufficientScopeError } from '@modelcontextprotocol/client';

/** A server's demand for a login, sent with HTTP 401 or 403. */
export interface Challenge {
  /** The address of its protected resource metadata; undefined: the default of RFC 9728. */
  readonly metadata: URL | undefined;
  /** An address of metadata at another origin, which is not requested. */
  readonly elsewhere: URL | undefined;
  /** Separated by spaces. */
  readonly scope: string | undefined;
  /** The login exists, but has too few permissions. */
  readonly lacksScope: boolean;
}

/** HTTP 403 for too few permissions. */
export class ScopeRefused extends InsufficientScopeError {
  /** How the request was authorized: the token of a login, an Authorization header of the entry, or nothing. */
  readonly shown: 'login' | 'header' | 'nothing';

  constructor(requiredScope: string | undefined, shown: ScopeRefused['shown']) {
    super(requiredScope === undefined ? {} : { requiredScope });
    this.name = 'ScopeRefused';
    this.shown = shown;
  }
}

/**
 * Undefined for a response that demands no login. `server`: its address; its metadata is at the same origin (RFC 9728,
 * 3.1 and 7.7).
 */
export function challengeIn(response: Response, server: URL): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  const lacksScope = response.status === 403 && error === 'insufficient_scope';
  if (response.status !== 401 && !lacksScope) return undefined;
  const isOwn = resourceMetadataUrl?.origin === server.origin;
  return {
    metadata: isOwn ? resourceMetadataUrl : undefined,
    elsewhere: isOwn ? undefined : resourceMetadataUrl,
    scope,
    lacksScope,
  };
}

/** Sends a request to learn what the server says about a login. */
export async function probe(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Challenge | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
    signal,
  });
  await response.body?.cancel();
  return challengeIn(response, url);
}
