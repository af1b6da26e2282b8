import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approve, beginLogin, callWith, redeem, register } from '../../../kit/mcp/login-by-hand.ts';
import {
  connectWith,
  loggingIn,
  redirectUri,
  serveWithLogin,
  type LoginHome,
} from '../../../kit/mcp/mcp-login.ts';

/** The SDK's client, all the way: 401, discovery, registration, the owner's page, the code, tools. */
async function logInWithSdk({ origin, server }: LoginHome, path = '/mcp', auth = loggingIn()) {
  await expect(connectWith(`${origin}${path}`, auth)).rejects.toThrow();
  const back = await approve(auth.page, server.login!.code);
  expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
  expect(back.searchParams.get('state')).toBe('the-state');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const finishing = new StreamableHTTPClientTransport(new URL(`${origin}${path}`), { authProvider: auth });
  await finishing.finishAuth(back.searchParams);
  return auth;
}

/** A login step by step, up to the tokens. */
async function logInByHand(home: LoginHome, change = {}) {
  const { origin, server } = home;
  const { body: client } = await register(origin);
  const login = beginLogin(origin, client.client_id, change);
  const back = await approve(login.page, server.login!.code);
  const code = back.searchParams.get('code')!;
  return { login, code };
}

test('a client of the SDK logs in by itself, and its tools run', async () => {
  await using home = await serveWithLogin();
  const auth = await logInWithSdk(home);
  const { client } = await connectWith(`${home.origin}/mcp`, auth);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
  await client.close();
});

test('so does a client of the first SDK', async () => {
  await using home = await serveWithLogin();
  const auth = loggingIn() as never;
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } =
    await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const open = () => new StreamableHTTPClientTransport(new URL(`${home.origin}/mcp`), { authProvider: auth });
  const first = open();
  await expect(new Client({ name: 'old', version: '1' }).connect(first as never)).rejects.toThrow();
  const back = await approve((auth as { readonly page: URL }).page, home.server.login!.code);
  await first.finishAuth(back.searchParams.get('code')!);
  const client = new Client({ name: 'old', version: '1' });
  await client.connect(open());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
  await client.close();
});

test('the token of the server works beside it, and a restart takes no login away', async () => {
  await using home = await serveWithLogin();
  const auth = await logInWithSdk(home);
  expect(await callWith(home, home.server.token)).toMatchObject({ status: 200 });
  const { code } = home.server.login!;
  await home.restart();
  expect(home.server.login!.code).not.toBe(code);
  const { client } = await connectWith(`${home.origin}/mcp`, auth);
  await client.close();
});

test('what is kept is the owner’s alone, and holds no token that works', async () => {
  await using home = await serveWithLogin();
  const { login, code } = await logInByHand(home);
  const { body } = await redeem(home.origin, login, code);
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  const { readFile, readdir } = await import('node:fs/promises');
  for (const name of await readdir(home.folder)) {
    const path = join(home.folder, name);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'latin1');
    expect(text).not.toContain(body.access_token);
    expect(text).not.toContain(body.refresh_token);
  }
});

test('a client that asks for no scope and says no resource gets the whole server, once the owner said so', async () => {
  await using home = await serveWithLogin();
  const { login, code } = await logInByHand(home, { resource: undefined });
  const { body } = await redeem(home.origin, login, code, { resource: `${home.origin}/mcp` });
  expect(await callWith(home, body.access_token)).toMatchObject({ status: 200 });
});

test('a code is valid once: using it again revokes the login', async () => {
  await using home = await serveWithLogin();
  const { login, code } = await logInByHand(home);
  const first = await redeem(home.origin, login, code);
  expect(first.status).toBe(200);
  expect(await redeem(home.origin, login, code)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect(await callWith(home, first.body.access_token)).toMatchObject({ status: 401 });
});

test('of many that bring one code at the same moment, one gets a token', async () => {
  await using home = await serveWithLogin();
  const { login, code } = await logInByHand(home);
  const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(home.origin, login, code)));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
});

test.each([
  ['another verifier', { code_verifier: 'x'.repeat(43) }],
  ['no verifier', { code_verifier: '' }],
  ['another redirect', { redirect_uri: 'https://client.example/other' }],
  ['another resource', { resource: 'https://elsewhere.example/mcp' }],
  ['another client', { client_id: 'nobody' }],
])('a code with %s is worth nothing', async (_, change) => {
  await using home = await serveWithLogin();
  const { login, code } = await logInByHand(home);
  expect((await redeem(home.origin, login, code, change)).status).toBeGreaterThanOrEqual(400);
});

test('a token opens the path that it was asked for, and no other', async () => {
  await using home = await serveWithLogin();
  const { login, code } = await logInByHand(home, { resource: `${home.origin}/mcp/memory` });
  const { body } = await redeem(home.origin, login, code, { resource: `${home.origin}/mcp/memory` });
  expect(await callWith(home, body.access_token, '/mcp/memory')).toMatchObject({ status: 200 });
  const refused = await callWith(home, body.access_token);
  expect(refused.status).toBe(401);
  expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
});

test('a revoked token opens nothing', async () => {
  await using home = await serveWithLogin();
  const { login, code } = await logInByHand(home);
  const { body } = await redeem(home.origin, login, code);
  const revoked = await fetch(`${home.origin}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: body.access_token, client_id: login.clientId }),
  });
  expect(revoked.status).toBe(200);
  expect(await callWith(home, body.access_token)).toMatchObject({ status: 401 });
});
