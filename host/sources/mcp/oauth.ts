import { randomBytes } from 'node:crypto';
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  UnauthorizedError,
  type AuthProvider,
} from '@modelcontextprotocol/client';
import { openDeadline, untilAborted } from '../../core/deadline.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';
import { withFileLock } from '../../store/file-lock.ts';
import type { McpOAuthConfig } from './config.ts';
import { createOAuthProvider } from './oauth-provider.ts';
import type { OAuthStore } from './oauth-store.ts';
import { listenForRedirect } from './redirect-listener.ts';

/** How long a person may take to log in. */
const loginMs = 5 * 60_000;

/**
 * The stored token for every request, refreshed when the server no longer takes it. Asks nobody: where only a person
 * can help, requests fail as unauthorized.
 */
export function storedAuth(url: URL, store: OAuthStore, config: McpOAuthConfig): AuthProvider {
  const provider = createOAuthProvider({
    store,
    config,
    redirectUrl: 'http://127.0.0.1/callback',
    redirect() {
      throw new UnauthorizedError();
    },
  });
  let renewing: Promise<void> | undefined;

  /** A refresh token is good for one use, here and in every other process. */
  const renew = (response: Response): Promise<void> =>
    withFileLock(store.path, async () => {
      if (store.reload()) return;
      if (store.state.tokens?.refresh_token === undefined) throw new UnauthorizedError();
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      await auth(provider, {
        serverUrl: url,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
      });
    });
  return {
    token: async () => store.state.tokens?.access_token,
    async onUnauthorized({ response }) {
      if (store.state.tokens === undefined && !store.reload()) throw new UnauthorizedError();
      renewing ??= renew(response).finally(() => (renewing = undefined));
      await renewing;
    },
  };
}

/**
 * Logs in: sends a person to the authorization server through `openUrl`, and waits for the browser to come back.
 * Throws PEG_SERVER_UNAUTHORIZED, and the signal's reason.
 */
export async function logIn(
  server: { readonly name: string; readonly url: URL; readonly headers: Readonly<Record<string, string>> },
  store: OAuthStore,
  config: McpOAuthConfig,
  {
    openUrl,
    wanted,
    signal: given,
  }: {
    readonly openUrl: (url: string) => void | Promise<void>;
    /** Permissions that a request was refused for lack of. */
    readonly wanted: string | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  using deadline = openDeadline(loginMs, given);
  const { signal } = deadline;
  const challenge = await challengeOf(server, signal);
  if (!challenge) return;
  const granted = store.state.tokens?.scope;
  const state = randomBytes(24).toString('base64url');
  await using listener = await listenForRedirect(state, config.redirectPort);
  // Registered for one address to come back to; this login may have another port.
  await store.update({ client: undefined, discovery: undefined });
  const provider = createOAuthProvider({
    store,
    config,
    redirectUrl: listener.url,
    state,
    redirect(url) {
      if (!/^https?:$/.test(url.protocol))
        throw new Error(`it sends to ${url.protocol} and not to a web page`);
      return openUrl(url.href);
    },
  });
  try {
    const asked = config.scopes?.join(' ') ?? challenge.scope;
    const scope = wanted === undefined ? asked : computeScopeUnion(granted, asked, wanted);
    const options = {
      serverUrl: server.url,
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    };
    const outcome = await untilAborted(auth(provider, { ...options, forceReauthorization: true }), signal);
    if (outcome === 'AUTHORIZED') return;
    const answer = await untilAborted(listener.returned, signal);
    const authorizationCode = answer.get('code');
    if (authorizationCode === null) throw new Error(refusalIn(answer));
    const iss = answer.get('iss');
    await auth(provider, { ...options, authorizationCode, ...(iss !== null && { iss }) });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof PegboardError) throw cause;
    throw new PegboardError(
      'PEG_SERVER_UNAUTHORIZED',
      `Logging in to MCP server "${server.name}" failed: ${messageOf(cause)}`,
      { cause },
    );
  }
}

type Challenge = ReturnType<typeof extractWWWAuthenticateParams>;

/** What the server says when nobody has logged in; undefined when it lets everybody in. */
async function challengeOf(
  { url, headers }: { readonly url: URL; readonly headers: Readonly<Record<string, string>> },
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
  return response.status === 401 ? extractWWWAuthenticateParams(response) : undefined;
}

function refusalIn(answer: URLSearchParams): string {
  const reason = answer.get('error_description') ?? answer.get('error') ?? 'it came back without a code';
  return `the authorization server said no (${reason})`;
}
