import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  serveHttp,
  type HttpOptions,
  type HttpServer,
} from '../../../plugins/builtin-mcp-server/http/http.ts';
import { freePort } from './mcp-http.ts';
import { servedHost } from './served-host.ts';
import { echoTool } from '../source.ts';

export interface LoginHome extends AsyncDisposable {
  readonly origin: string;
  /** The folder of the owner's state, outside of a home. */
  readonly folder: string;
  readonly server: HttpServer;
  /** Simulates another process on the same folder. */
  restart(): Promise<void>;
}

/** `serve --http` with logins enabled, at a local address. */
export async function serveWithLogin(options: Partial<HttpOptions> = {}): Promise<LoginHome> {
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-login-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const start = async (): Promise<HttpServer> =>
    serveHttp(await servedHost([echoTool()]), {
      port,
      stateFolder: folder,
      ...options,
      login: { ...options.login, publicUrl: origin },
    });
  let server = await start();
  return {
    origin,
    folder,
    get server() {
      return server;
    },
    async restart() {
      await server.close();
      server = await start();
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The SDK's storage of a login, in memory. */
export interface LoggingIn extends OAuthClientProvider {
  /** The address that the client last opened in the owner's browser. */
  readonly page: URL;
}

export const redirectUri = 'https://client.example/callback';

export function loggingIn(redirect = redirectUri, more: Partial<OAuthClientProvider> = {}): LoggingIn {
  const kept: Record<string, any> = {};
  return {
    redirectUrl: redirect,
    clientMetadata: { client_name: 'A <b>test</b>', redirect_uris: [redirect] },
    clientInformation: () => kept['client'],
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url) => void (kept['page'] = url),
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
    saveDiscoveryState: (state) => void (kept['discovery'] = state),
    discoveryState: () => kept['discovery'],
    state: () => 'the-state',
    get page() {
      return kept['page'];
    },
    ...more,
  };
}

export async function connectWith(
  url: string,
  authProvider: OAuthClientProvider,
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
  await client.connect(transport);
  return { client, transport };
}
