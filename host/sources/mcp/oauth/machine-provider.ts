import { createPrivateKeyJwtAuth, type OAuthClientProvider } from '@modelcontextprotocol/client';
import type { McpOAuthConfig } from '../config.ts';
import type { OAuthStore } from './oauth-store.ts';

const nobody = (): never => {
  throw new Error('a machine has no browser to redirect');
};

/** Signs in without user interaction, with a client secret or a key. */
export function createMachineProvider(store: OAuthStore, config: McpOAuthConfig): OAuthClientProvider {
  const { clientId = '', clientSecret, privateKey, algorithm = 'ES256', issuer } = config;
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: 'Pegboard',
      redirect_uris: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: privateKey === undefined ? 'client_secret_basic' : 'private_key_jwt',
    },
    ...(privateKey !== undefined && {
      addClientAuthentication: createPrivateKeyJwtAuth({
        issuer: clientId,
        subject: clientId,
        privateKey,
        alg: algorithm,
      }),
    }),
    clientInformation: () => ({
      client_id: clientId,
      ...(privateKey === undefined && clientSecret !== undefined && { client_secret: clientSecret }),
      ...(issuer !== undefined && { issuer }),
    }),
    tokens: () => store.state.tokens,
    saveTokens: (tokens) => store.update({ tokens }),
    prepareTokenRequest: (scope) =>
      new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
    saveDiscoveryState: (discovery) => store.update({ discovery }),
    discoveryState: () => store.state.discovery,
    redirectToAuthorization: nobody,
    saveCodeVerifier: nobody,
    codeVerifier: nobody,
  };
}
