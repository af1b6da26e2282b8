import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { McpOAuthConfig } from '../config.ts';
import type { OAuthStore } from './oauth-store.ts';

export interface OAuthProviderOptions {
  readonly store: OAuthStore;
  readonly config: McpOAuthConfig;
  /** The address to which the browser returns. */
  readonly redirectUrl: string;
  /** Ties the browser's return to this login. */
  readonly state?: string;
  /** Whether a client may be registered: only while a person logs in. */
  readonly mayRegister: boolean;
  /** Opens the address for the user; throws when that is not possible. */
  readonly redirect: (url: URL) => void | Promise<void>;
}

/** Pegboard as a client of the SDK's OAuth flow. */
export function createOAuthProvider(options: OAuthProviderOptions): OAuthClientProvider {
  const { store, config, redirectUrl, state, mayRegister } = options;
  const { clientId, clientSecret, clientMetadataUrl, issuer, scopes } = config;
  let verifier = '';
  return {
    redirectUrl,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: {
      client_name: 'Pegboard',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_basic',
      ...(scopes && { scope: scopes.join(' ') }),
    },
    ...(state !== undefined && { state: () => state }),
    clientInformation() {
      if (clientId === undefined) return store.state.client;
      return {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        ...(issuer !== undefined && { issuer }),
      };
    },
    // A configured client is never replaced by a dynamically registered one.
    ...(clientId === undefined &&
      mayRegister && { saveClientInformation: (client) => store.update({ client }) }),
    tokens: () => store.state.tokens,
    saveTokens: (tokens) => store.update({ tokens }),
    redirectToAuthorization: (url) => options.redirect(url),
    saveCodeVerifier: (code) => void (verifier = code),
    codeVerifier: () => verifier,
    saveDiscoveryState: (discovery) => store.update({ discovery }),
    discoveryState: () => store.state.discovery,
    invalidateCredentials: (scope) =>
      store.update({
        ...((scope === 'all' || scope === 'client') && { client: undefined }),
        ...((scope === 'all' || scope === 'tokens') && { tokens: undefined }),
        ...((scope === 'all' || scope === 'discovery') && { discovery: undefined }),
      }),
  };
}
