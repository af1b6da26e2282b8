import { afterEach, expect, test, vi } from 'vitest';
import { askForToken, callWith, tokensOf } from '../../../kit/mcp/login-by-hand.ts';
import { serveWithLogin, type LoginHome } from '../../../kit/mcp/mcp-login.ts';

afterEach(() => void vi.useRealTimers());

const wait = (seconds: number): void => {
  const at = Date.now() + seconds * 1000;
  vi.useFakeTimers({ toFake: ['Date'], now: at });
};

async function refreshable(home: LoginHome) {
  const { login, body: first } = await tokensOf(home);
  const refresh = (token: string, change = {}) =>
    askForToken(home.origin, {
      grant_type: 'refresh_token',
      client_id: login.clientId,
      refresh_token: token,
      ...change,
    });
  return { first, refresh };
}

test('a refresh that is repeated within a minute, or at the same time, keeps the login', async () => {
  await using home = await serveWithLogin();
  const { first, refresh } = await refreshable(home);
  const both = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);
  // Beside the seconds that a busy machine takes for both.
  wait(30);
  for (const { status, body } of [...both, await refresh(first.refresh_token)]) {
    expect(status).toBe(200);
    expect(await callWith(home, body.access_token)).toMatchObject({ status: 200 });
    expect(await refresh(body.refresh_token)).toMatchObject({ status: 200 });
  }
});

test.each([{ resource: '/mcp/nosuch' }, { resource: '/mcp/memory' }, { scope: 'other' }])(
  'a refresh that is refused for %j uses no token up',
  async ({ resource, ...change }) => {
    await using home = await serveWithLogin();
    const { first, refresh } = await refreshable(home);
    const wrong = { ...change, ...(resource !== undefined && { resource: `${home.origin}${resource}` }) };
    expect(await refresh(first.refresh_token, wrong)).toMatchObject({ status: 400 });
    wait(3600);
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 200 });
  },
);

test('a refresh token that comes later again was stolen, and ends the login for both', async () => {
  await using home = await serveWithLogin();
  const { first, refresh } = await refreshable(home);
  const second = await refresh(first.refresh_token);
  expect(second.status).toBe(200);
  expect(second.body.refresh_token).not.toBe(first.refresh_token);
  expect(await callWith(home, second.body.access_token)).toMatchObject({ status: 200 });
  expect(await refresh(second.body.refresh_token, { resource: `${home.origin}/mcp/memory` })).toMatchObject({
    status: 400,
  });
  wait(61);
  expect(await refresh(first.refresh_token)).toMatchObject({ status: 400 });
  expect(await callWith(home, second.body.access_token)).toMatchObject({ status: 401 });
  expect((await refresh(second.body.refresh_token)).status).toBe(400);
});
