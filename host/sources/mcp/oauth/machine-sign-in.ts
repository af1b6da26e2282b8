import { auth } from '@modelcontextprotocol/client';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import type { McpOAuthConfig } from '../config.ts';
import { createMachineProvider } from './machine-provider.ts';
import type { OAuthStore } from './oauth-store.ts';
import { privateFetch } from '../transport/http/private-fetch.ts';
import { scopeToAskFor } from './scopes.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** Gets a token with the configured client's own credentials. Throws PEG_SERVER_UNAUTHORIZED. */
export async function signInAsMachine(
  { name, url }: { readonly name: string; readonly url: URL },
  store: OAuthStore,
  config: McpOAuthConfig,
): Promise<void> {
  const asked = scopeToAskFor(config, store);
  const { metadata } = store.state.challenged ?? {};
  try {
    await auth(createMachineProvider(store, config), {
      serverUrl: url,
      fetchFn: privateFetch(url),
      ...(metadata !== undefined && { resourceMetadataUrl: new URL(metadata) }),
      ...(asked !== undefined && { scope: asked }),
    });
    await store.update({ asked });
  } catch (cause) {
    // The authorization server may have moved.
    await store.update({ discovery: undefined });
    throw new PegboardError(
      'PEG_SERVER_UNAUTHORIZED',
      `Signing in to MCP server "${name}" as the client "${config.clientId}" failed: ${asSentence(messageOf(cause))} Check oauth in its entry.`,
      { cause, data: { server: name } },
    );
  }
}
