import { PegboardError } from '../../../core/errors.ts';
import { openOAuthStore, type LoginFiles, type OAuthStore } from './oauth-store.ts';
import type { HttpEndpoint } from '../transport/link.ts';
import type { ResolvedServer } from '../resolve.ts';
import type { ServerAuth } from './stored-auth.ts';
import type { LoginOptions, LoginOutcome, OpenUrl } from '../mcp-source.ts';

/** Pegboard's credentials at one server, for all its connections. */
export interface Credentials {
  /** The authorization of its requests; undefined where the configuration contains it. */
  for(server: ResolvedServer): Promise<ServerAuth | undefined>;
  /** Whether there was a login, in this process or another, since the last check. */
  haveChanged(): boolean;
  /** Throws PEG_USAGE for a server that needs no login, PEG_SERVER_UNAUTHORIZED, and the signal's reason. */
  logIn(server: ResolvedServer, openUrl: OpenUrl, options: LoginOptions): Promise<LoginOutcome>;
}

/** `onSecret` is called with every value that must not be shown. */
export function createCredentials(
  name: string,
  files: LoginFiles,
  onSecret: (value: string) => void,
): Credentials {
  let opened: { readonly key: string; readonly store: OAuthStore } | undefined;

  const storeFor = ({ url, oauth: { clientId } }: HttpEndpoint): OAuthStore => {
    const key = JSON.stringify([url, clientId]);
    if (opened?.key !== key) {
      opened = { key, store: openOAuthStore(files, name, { url, clientId }, onSecret) };
    }
    return opened.store;
  };
  return {
    async for(server) {
      if (server.kind === 'stdio' || hasOwn(server.headers)) return undefined;
      const { storedAuth } = await import('./stored-auth.ts');
      return storedAuth(name, server.url, storeFor(server), server.oauth);
    },
    haveChanged: () => opened?.store.reload() ?? false,
    async logIn(server, openUrl, options) {
      if (server.kind === 'stdio' || hasOwn(server.headers)) throw noLogin(name);
      // Nobody should log in for nothing.
      await files.sealing?.check();
      const { logIn } = await import('./log-in.ts');
      return logIn({ name, ...server }, storeFor(server), server.oauth, { ...options, openUrl });
    },
  };
}

/** An Authorization header in the configuration replaces a login. */
const hasOwn = (headers: Readonly<Record<string, string>>): boolean =>
  Object.keys(headers).some((header) => header.toLowerCase() === 'authorization');

function noLogin(name: string): PegboardError {
  return new PegboardError(
    'PEG_USAGE',
    `MCP server "${name}" doesn't need a login: it is a local program, or its Authorization header is configured.`,
  );
}
