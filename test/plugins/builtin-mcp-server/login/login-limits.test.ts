import { afterEach, describe, expect, test, vi } from 'vitest';
import { createBrowser } from '../../../kit/servers/browser.ts';
import {
  approve,
  askForToken,
  begun,
  callWith,
  redeem,
  register,
  tokensOf,
} from '../../../kit/mcp/login-by-hand.ts';
import { redirectUri, serveWithLogin } from '../../../kit/mcp/mcp-login.ts';

afterEach(() => void vi.useRealTimers());

const wait = (seconds: number): void => {
  const at = Date.now() + seconds * 1000;
  vi.useFakeTimers({ toFake: ['Date'], now: at });
};

describe('a login', () => {
  test.each([
    ['another redirect', { redirect_uri: 'https://client.example/callback/' }],
    [
      'a redirect to a part of another name',
      { redirect_uri: 'https://client.example.evil.example/callback' },
    ],
    ['no redirect', { redirect_uri: undefined }],
    ['a client that nobody registered', { client_id: 'nobody' }],
  ])('with %s leads nowhere', async (_, change) => {
    await using home = await serveWithLogin();
    const visit = await createBrowser().open((await begun(home, change)).page);
    expect(visit.status).toBe(400);
    expect(visit.url.origin).toBe(home.origin);
    expect(visit.headers.get('x-frame-options')).toBe('DENY');
  });

  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['another server', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['no path of MCP', { resource: 'ORIGIN/healthz' }, 'invalid_target'],
    ['a path with a query', { resource: 'ORIGIN/mcp?x=1' }, 'invalid_target'],
  ])('for %s is refused', async (_, change: Record<string, string | undefined>, error) => {
    await using home = await serveWithLogin();
    const resource = change['resource']?.replace('ORIGIN', home.origin);
    const { page } = await begun(home, resource === undefined ? change : { resource });
    const { url } = await createBrowser().open(page);
    expect(`${url.origin}${url.pathname}`).toBe(redirectUri);
    // The implicit flow would have its response after the hash.
    const answer = url.hash === '' ? url.searchParams : new URLSearchParams(url.hash.slice(1));
    expect(answer.get('error')).toBe(error);
    expect(answer.get('access_token')).toBeNull();
  });

  test('whose code comes too late is over', async () => {
    await using home = await serveWithLogin();
    const login = await begun(home);
    const back = await approve(login.page, home.server.login!.code);
    wait(61);
    expect(await redeem(home.origin, login, back.searchParams.get('code')!)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('lasts an hour without its client, thirty days with it', async () => {
    await using home = await serveWithLogin();
    const { login, body } = await tokensOf(home);
    expect(await callWith(home, body.access_token)).toMatchObject({ status: 200 });
    wait(3601);
    expect(await callWith(home, body.access_token)).toMatchObject({ status: 401 });
    const refresh = (token: string) =>
      askForToken(home.origin, {
        grant_type: 'refresh_token',
        client_id: login.clientId,
        refresh_token: token,
      });
    const renewed = await refresh(body.refresh_token);
    expect(await callWith(home, renewed.body.access_token)).toMatchObject({ status: 200 });
    wait(30 * 24 * 3600 + 1);
    expect(await refresh(renewed.body.refresh_token)).toMatchObject({ status: 400 });
  });

  test('of one client is no login of another', async () => {
    await using home = await serveWithLogin();
    const { body } = await tokensOf(home);
    const { body: other } = await register(home.origin);
    const stolen = await askForToken(home.origin, {
      grant_type: 'refresh_token',
      client_id: other.client_id,
      refresh_token: body.refresh_token,
    });
    expect(stolen).toMatchObject({ status: 400 });
  });

  test.each(['client_credentials', 'password', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'by the grant %s is not offered',
    async (grant_type) => {
      await using home = await serveWithLogin();
      const { body } = await register(home.origin);
      const answer = await askForToken(home.origin, { grant_type, client_id: body.client_id });
      expect(answer.status).toBe(400);
    },
  );
});
