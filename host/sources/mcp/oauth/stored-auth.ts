import {
  auth,
  computeScopeUnion,
  UnauthorizedError,
  type AuthProvider,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import { challengeIn, type Challenge } from './challenge.ts';
import type { McpOAuthConfig } from '../config.ts';
import { createOAuthProvider } from './oauth-provider.ts';
import { signInAsMachine } from './machine-sign-in.ts';
import { privateFetch } from '../transport/http/private-fetch.ts';
import type { OAuthStore } from './oauth-store.ts';
import { scopesBeyond } from './scopes.ts';

/** The authorization of all requests to one server. */
export interface ServerAuth extends AuthProvider {
  /** Records what the server's refusals demand, for any request. */
  readonly fetch: FetchLike;
  /**
   * Whether there is a new token to send a request with that was refused, and so not run, with `token`. Throws where
   * only a person can help.
   */
  hasAnother(refusal: Response, token: string | undefined): Promise<boolean>;
}

/**
 * Adds the stored token to every request, and refreshes it when the server rejects it. Never asks a person: if only a
 * person can help, requests fail as unauthorized, and what was missing is stored for the next login.
 */
export function storedAuth(name: string, url: URL, store: OAuthStore, config: McpOAuthConfig): ServerAuth {
  const provider = createOAuthProvider({
    store,
    config,
    redirectUrl: 'http://127.0.0.1/callback',
    mayRegister: false,
    redirect() {
      throw new UnauthorizedError();
    },
  });
  const isMachine = config.grant === 'client_credentials';
  let renewing: Promise<void> | undefined;

  /** A refresh token can be used once, across all processes. */
  const renewOnce = (): Promise<void> =>
    store.locked(async () => {
      if (store.reload()) return;
      if (isMachine) return signInAsMachine({ name, url }, store, config);
      if (store.state.tokens?.refresh_token === undefined) throw new UnauthorizedError();
      const { metadata } = store.state.challenged ?? {};
      await auth(provider, {
        serverUrl: url,
        fetchFn: privateFetch(url),
        ...(metadata !== undefined && { resourceMetadataUrl: new URL(metadata) }),
      }).catch((cause: unknown) => {
        // The authorization server doesn't know the client any more: a login registers another one.
        throw config.clientId === undefined && store.state.client === undefined
          ? new UnauthorizedError()
          : cause;
      });
    });
  const renew = (): Promise<void> => (renewing ??= renewOnce().finally(() => (renewing = undefined)));
  const token = async (): Promise<string | undefined> => store.state.tokens?.access_token;

  const isAnother = (sent: string | undefined): boolean => {
    const now = store.state.tokens?.access_token;
    return now !== undefined && now !== sent;
  };
  const replace = async (sent: string | undefined): Promise<void> => {
    // Another request or process has refreshed it in the meantime.
    if (isAnother(sent) || store.reload()) return;
    if (store.state.tokens === undefined && !isMachine) throw new UnauthorizedError();
    await renew();
  };
  /** A token with more permissions than the refused one. */
  const stepUp = async (challenge: Challenge, sent: string | undefined): Promise<boolean> => {
    if (isAnother(sent) || store.reload()) return true;
    const isAskedFor = wasAskedFor(store, challenge);
    if (isMachine && !isAskedFor) await renew();
    if (isAnother(sent)) return true;
    if (isAskedFor) throw stillRefused(name, challenge);
    return false;
  };
  const hasAnother: ServerAuth['hasAnother'] = async (refusal, sent) => {
    const challenge = challengeIn(refusal, url);
    if (!challenge) return false;
    // If it can't be stored, only this process has it.
    await note(store, challenge).catch(() => {});
    if (challenge.lacksScope) return stepUp(challenge, sent);
    await replace(sent);
    return isAnother(sent);
  };

  return {
    token,
    hasAnother,
    onUnauthorized: async () => replace(await token()),
    async fetch(target, init) {
      const response = await fetch(target, init);
      const challenge = challengeIn(response, url);
      if (!challenge) return response;
      // The SDK renews expired tokens through onUnauthorized.
      if (!challenge.lacksScope) {
        await note(store, challenge).catch(() => {});
        return response;
      }
      const sent = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '');
      if (!(await hasAnother(response, sent))) return response;
      await response.body?.cancel();
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${await token()}`);
      return fetch(target, { ...init, headers });
    },
  };
}

/** Written only when it has changed. */
async function note(store: OAuthStore, { metadata, scope, lacksScope }: Challenge): Promise<void> {
  const { challenged, wanted } = store.state;
  if (lacksScope) {
    if (scopesBeyond(wanted, scope).length > 0)
      await store.update({ wanted: computeScopeUnion(wanted, scope) });
  } else if (!challenged || challenged.metadata !== metadata?.href || challenged.scope !== scope)
    await store.update({ challenged: { metadata: metadata?.href, scope } });
}

/** Then another login would have the same outcome. */
const wasAskedFor = ({ state }: OAuthStore, { scope }: Challenge): boolean =>
  state.tokens !== undefined && scope !== undefined && scopesBeyond(state.asked, scope).length === 0;

function stillRefused(server: string, { scope }: Challenge): PegboardError {
  return new PegboardError(
    'PEG_SERVER_UNAUTHORIZED',
    `MCP server "${server}" refuses this although the last login requested what it requires: ${scope}. The account that logged in may lack this permission: ask the operators of the server, or log in with another account with \`${pegboard} mcp login ${server}\`.`,
    { data: { server, scope } },
  );
}
