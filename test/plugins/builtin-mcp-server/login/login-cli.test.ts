import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { rememberHome } from '../../../../host/store/owner/known-homes.ts';
import { pegboard, startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { freePort } from '../../../kit/mcp/mcp-http.ts';
import { approve, beginLogin, redeem, register } from '../../../kit/mcp/login-by-hand.ts';
import { callBody, modernHeaders, post } from '../../../kit/mcp/mcp-wire.ts';
import { sendRaw } from '../../../kit/servers/raw-http.ts';

const oauth = (publicUrl: string): string => `serve: { oauth: { publicUrl: '${publicUrl}' } }\n`;

async function serve(
  home: string,
  port: number,
): Promise<{ readonly cli: RunningCli; readonly code: string }> {
  const cli = startPegboard(['serve', '--http', String(port)], { home });
  const output = await cli.waitFor(/code\s+\S+[^]*stops/);
  return { cli, code: /code\s+(\S+)/.exec(output)![1]! };
}

const list = (port: number, token: string) =>
  post({ port, token }, callBody(undefined, {}, 'modern'), modernHeaders(undefined, 'tools/list'));

/** A client that the owner has approved. */
async function logIn(origin: string, code: string): Promise<string> {
  const { body: client } = await register(origin, { client_name: 'My app' });
  const login = beginLogin(origin, client.client_id);
  const back = await approve(login.page, code);
  return (await redeem(origin, login, back.searchParams.get('code')!)).body.access_token;
}

test('serve --http prints the code that lets a client in, and approvals revoke logs it out', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await using home = await createHome({ 'pegboard.yaml': oauth(origin) });
  const { cli, code } = await serve(home.path, port);
  await using _ = cli;
  const unknown = await list(port, 'unknown-token');
  expect(unknown.status).toBe(401);
  expect(unknown.headers['www-authenticate']).toBe(
    `Bearer realm="pegboard", error="invalid_token", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="mcp"`,
  );
  const token = await logIn(origin, code);
  expect(await list(port, token)).toMatchObject({ status: 200 });

  const { stdout } = await pegboard(['approvals', 'list'], { home: home.path });
  const [, id] = /(clients\/\S{8}) .*My app may use \S+\/mcp/.exec(stdout)!;
  const revoked = await pegboard(['approvals', 'revoke', id!], { home: home.path });
  expect(revoked).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('My app is logged out') as string,
  });
  expect(await list(port, token)).toMatchObject({ status: 401 });
});

test('a client that was approved and never redeemed its code is in no list after two minutes', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await using home = await createHome({ 'pegboard.yaml': oauth(origin) });
  const { cli, code } = await serve(home.path, port);
  await using _ = cli;
  const token = await logIn(origin, code);
  const { body: client } = await register(origin, { client_name: 'Gone app' });
  await approve(beginLogin(origin, client.client_id).page, code);
  const listed = async (): Promise<string> =>
    (await pegboard(['approvals', 'list'], { home: home.path })).stdout;
  expect(await listed()).toMatch(/Gone app may use/);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await listed()).toMatch(/My app may use/);
  expect(await listed()).not.toContain('Gone app');
  expect(await list(port, token)).toMatchObject({ status: 200 });
});

test('a copy of a home has none of its logins', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await using home = await createHome({ 'pegboard.yaml': oauth(origin) });
  const first = await serve(home.path, port);
  const token = await logIn(origin, first.code);
  await first.cli[Symbol.asyncDispose]();

  const copy = await mkdtemp(join(tmpdir(), 'pegboard-copy-'));
  try {
    await cp(home.path, copy, { recursive: true });
    await rememberHome(copy, processSurroundings());
    const second = await serve(copy, port);
    await using _ = second.cli;
    expect(second.code).not.toBe(first.code);
    expect(await list(port, token)).toMatchObject({ status: 401 });
  } finally {
    await rm(copy, { recursive: true });
  }
  const third = await serve(home.path, port);
  await using _ = third.cli;
  expect(await list(port, token)).toMatchObject({ status: 200 });
});

test('behind a proxy the server is known by its public address alone', async () => {
  const port = await freePort();
  const origin = 'https://pegboard.example';
  await using home = await createHome({ 'pegboard.yaml': oauth(origin) });
  const { cli } = await serve(home.path, port);
  await using _ = cli;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const sent = { Host: 'pegboard.example', 'X-Forwarded-Host': 'evil.example', ...headers };
    return sendRaw(port, { method: 'GET', path, headers: Object.entries(sent).flat() });
  };
  const resource = JSON.parse((await get('/.well-known/oauth-protected-resource/mcp')).text);
  expect(resource).toMatchObject({ resource: `${origin}/mcp`, authorization_servers: [origin] });
  const server = JSON.parse((await get('/.well-known/oauth-authorization-server')).text);
  expect(server).toMatchObject({
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
  });
  expect(JSON.stringify(server)).not.toContain('evil');
  expect((await get('/.well-known/oauth-protected-resource/healthz')).status).toBe(404);
});

test('without the setting there is no login, and the setting has to be an address that is safe', async () => {
  const port = await freePort();
  await using home = await createHome();
  await using cli = startPegboard(['serve', '--http', String(port)], { home: home.path });
  expect(await cli.waitFor(/stops/)).not.toMatch(/^login|^code/m);
  for (const path of ['/oauth/authorize', '/oauth/register', '/.well-known/oauth-protected-resource/mcp']) {
    const headers = ['Host', `localhost:${port}`];
    const answer = await sendRaw(port, { method: 'GET', path, headers });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="pegboard"');
  }

  for (const address of [
    'http://pegboard.example',
    'https://pegboard.example/path',
    'https://user@x.example',
  ]) {
    await using other = await createHome({ 'pegboard.yaml': oauth(address) });
    const { code, stderr } = await pegboard(['serve', '--http', '0'], { home: other.path });
    expect(code).toBe(2);
    expect(stderr).toContain('serve.oauth.publicUrl must be an https:// address without a path');
  }
});
