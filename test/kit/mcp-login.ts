import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serveHttp, type HttpOptions, type HttpServer } from '../../host/faces/mcp-server/http.ts';
import { freePort } from './mcp-http.ts';
import { servedHost } from './served-host.ts';
import { echoTool } from './source.ts';

export interface LoginHome extends AsyncDisposable {
  readonly origin: string;
  /** What is kept about the owner, outside of a home. */
  readonly folder: string;
  readonly server: HttpServer;
  /** Another process on the same folder. */
  restart(): Promise<void>;
}

/** `serve --http` with logins switched on, at an address of this machine. */
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

/** What the SDK keeps of a login, in memory. */
export interface LoggingIn extends OAuthClientProvider {
  /** Where the client sent the owner's browser last. */
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

/** A browser: keeps cookies, sends what browsers say of themselves, and follows redirects within one site. */
export interface Browser {
  /** The last answer, or the address of another site that it was sent to. */
  open(url: string | URL, from?: 'cross-site' | 'same-origin'): Promise<Visit>;
  submit(visit: Visit, fields: Readonly<Record<string, string>>): Promise<Visit>;
}

export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

export function createBrowser(): Browser {
  const cookies = new Map<string, { readonly value: string; readonly path: string }>();
  const visit = async (
    url: URL,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Visit> => {
    const sent = [...cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`);
    const visited = await send(
      url,
      { ...headers, ...(sent.length > 0 && { cookie: sent.join('; ') }) },
      body,
    );
    for (const line of visited.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const path = attributes.find((one) => one.startsWith('path='))?.slice(5) ?? '/';
      if (value === '') cookies.delete(name);
      else cookies.set(name, { value, path });
    }
    const location = visited.headers.get('location');
    if (location === null) return visited;
    const next = new URL(location, url);
    if (next.origin !== url.origin) return { ...visited, url: next };
    return visit(next, { 'sec-fetch-site': headers['sec-fetch-site']! });
  };
  return {
    open: (url, from = 'cross-site') => visit(new URL(url), { 'sec-fetch-site': from }),
    submit: ({ url, html }, fields) => {
      const proof = /name="proof" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const headers = {
        origin: url.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      };
      return visit(url, headers, new URLSearchParams({ proof, ...fields }).toString());
    },
  };
}

/** Node's fetch says itself what kind of request it is. */
async function send(url: URL, headers: Readonly<Record<string, string>>, body?: string): Promise<Visit> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  sent.once('response', resolve).once('error', reject).end(body);
  const response = await promise;
  const answered = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) answered.append(name, value);
  return { url, status: response.statusCode!, headers: answered, html: await text(response) };
}

/** As the owner: opens the page, types the code, allows. Resolves with where the browser is sent back to. */
export async function approve(page: URL, code: string, browser = createBrowser()): Promise<URL> {
  const form = await browser.open(page);
  return (await browser.submit(form, { code, decision: 'allow' })).url;
}

/** A login by hand, each step of which can be another one. */
export async function register(
  origin: string,
  metadata: object = {},
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'by hand',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }),
  });
  return { status: response.status, body: await response.json() };
}

export interface HandLogin {
  readonly clientId: string;
  readonly verifier: string;
  readonly page: URL;
}

export function beginLogin(
  origin: string,
  clientId: string,
  change: Readonly<Record<string, string | undefined>> = {},
): HandLogin {
  const verifier = randomBytes(32).toString('base64url');
  const page = new URL(`${origin}/oauth/authorize`);
  const params: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${origin}/mcp`,
    ...change,
  };
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) page.searchParams.set(name, value);
  return { clientId, verifier, page };
}

export async function askForToken(
  origin: string,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: await response.json() };
}

export const redeem = (origin: string, { clientId, verifier }: HandLogin, code: string, change = {}) =>
  askForToken(origin, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    resource: `${origin}/mcp`,
    ...change,
  });
