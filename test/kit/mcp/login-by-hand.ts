import { createHash, randomBytes } from 'node:crypto';
import { createBrowser } from '../servers/browser.ts';
import { redirectUri, type LoginHome } from './mcp-login.ts';
import { callBody, modernHeaders, post } from './mcp-wire.ts';

/**
 * Acts as the owner: opens the page, enters the code, allows. Resolves with the address to which the browser is
 * redirected.
 */
export async function approve(page: URL, code: string, browser = createBrowser()): Promise<URL> {
  const form = await browser.open(page);
  return (await browser.submit(form, { code, decision: 'allow' })).url;
}

/** A login step by step, each of which can be varied. */
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

/** A login of a client that has just registered itself. */
export async function begun(home: LoginHome, change = {}): Promise<HandLogin> {
  const { body } = await register(home.origin);
  return beginLogin(home.origin, body.client_id, change);
}

/** The same login up to the tokens. */
export async function tokensOf(home: LoginHome) {
  const login = await begun(home);
  const back = await approve(login.page, home.server.login!.code);
  const { body } = await redeem(home.origin, login, back.searchParams.get('code')!);
  return { login, body };
}

/** Calls a tool with this token. */
export const callWith = ({ server }: LoginHome, token: string, path = '/mcp') =>
  post({ port: server.port, token }, callBody('echo', { text: 'x' }, 'modern'), modernHeaders('echo'), path);
