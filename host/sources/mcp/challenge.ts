import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';

/** What a server says with HTTP 401 or 403 about the login that it wants. */
export interface Challenge {
  /** Where it says who gives out its tokens. */
  readonly metadata: URL | undefined;
  /** Separated by spaces. */
  readonly scope: string | undefined;
  /** Somebody is logged in, with too few permissions. */
  readonly lacksScope: boolean;
}

/** Undefined for an answer that wants no login. */
export function challengeIn(response: Response): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  const lacksScope = response.status === 403 && error === 'insufficient_scope';
  return response.status === 401 || lacksScope
    ? { metadata: resourceMetadataUrl, scope, lacksScope }
    : undefined;
}

/** Asks for nothing in particular, with these headers: what the server says about a login. */
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
  return challengeIn(response);
}
