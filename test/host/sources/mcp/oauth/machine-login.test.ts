import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { McpOAuthConfig } from '../../../../../host/sources/mcp/config.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { startOAuthServer, type OAuthServerOptions } from '../../../../kit/mcp/mcp-oauth-server.ts';
import { caller, createMcpLab } from '../../../../kit/mcp/mcp-source.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
const secret = 's3cr3t-of-a-machine';
const withSecret: McpOAuthConfig = {
  grant: 'client_credentials',
  clientId: 'robot',
  clientSecret: '${ROBOT_SECRET}',
};
const withKey: McpOAuthConfig = {
  grant: 'client_credentials',
  clientId: 'robot',
  privateKey: '${ROBOT_KEY}',
};
const bySecret: OAuthServerOptions = { machine: { id: 'robot', secret } };
const byKey: OAuthServerOptions = { machine: { id: 'robot', key: publicKey } };

async function guarded(options: OAuthServerOptions, oauth: McpOAuthConfig) {
  const server = await startOAuthServer(options);
  const lab = await createMcpLab();
  const open = (change: McpOAuthConfig = {}) =>
    lab.open(
      'private',
      { url: `${server.url}/mcp`, oauth: { ...oauth, ...change } },
      { ROBOT_SECRET: secret, ROBOT_KEY: pem },
    );
  return {
    server,
    open,
    source: open(),
    lab,
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test.each([
  ['secret', bySecret, withSecret],
  ['private key', byKey, withKey],
] as const)(
  'a machine signs in with its %s when it is first asked, without a login',
  async (_, options, oauth) => {
    await using at = await guarded(options, oauth);
    await at.source.connect();
    expect(textOf(await at.source.callTool('whoami', {}, caller()))).toBe('you');
    expect(at.server.requests.get('/authorize')).toBeUndefined();
    expect(at.server.requests.get('/register')).toBeUndefined();

    const again = at.open();
    await again.connect();
    expect(at.server.requests.get('/token')).toBe(1);
  },
);

test('a token that has expired is replaced once, however many calls need it', async () => {
  await using at = await guarded(bySecret, withSecret);
  await at.source.connect();
  at.server.expireTokens();
  const answers = await Promise.all([1, 2, 3].map(() => at.source.callTool('whoami', {}, caller())));
  expect(answers.map(textOf)).toEqual(['you', 'you', 'you']);
  expect(at.server.requests.get('/token')).toBe(2);
});

test('a permission that a call lacks is asked for at once, and again only when it may help', async () => {
  await using at = await guarded(bySecret, withSecret);
  await at.source.connect();
  at.server.requireScope('write');
  expect(textOf(await at.source.callTool('whoami', {}, caller()))).toBe('you');
  expect(at.server.asked).toEqual(['tools', 'tools write']);
  at.server.requireScope('admin');
  at.server.withhold('admin');
  for (const _ of [1, 2, 3]) {
    await expect(at.source.callTool('whoami', {}, caller())).rejects.toMatchObject({
      code: 'PEG_SERVER_UNAUTHORIZED',
    });
  }
  expect(at.server.asked).toEqual(['tools', 'tools write', 'tools write admin']);
});

test('pegboard mcp login signs in at once, and says when the credentials are wrong', async () => {
  await using at = await guarded(bySecret, withSecret);
  expect(await at.source.login(() => expect.unreachable('nobody is there'))).toEqual({ missing: [] });
  const wrong = at.open({ clientSecret: 'an-old-secret' });
  await expect(wrong.login(() => {})).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAUTHORIZED',
    message: expect.stringMatching(/as the client "robot" failed: .*Check oauth/) as string,
  });
});

test('credentials go to no other authorization server than the one that is named', async () => {
  await using at = await guarded(bySecret, { ...withSecret, issuer: 'https://other.example' });
  await expect(at.source.connect()).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAUTHORIZED',
    message: expect.stringContaining('https://other.example') as string,
  });
  expect(at.server.requests.get('/token')).toBeUndefined();
});

test('missing settings of the entry are reported before anything is sent', async () => {
  await using at = await guarded(bySecret, { grant: 'client_credentials', clientId: 'robot' });
  await expect(at.source.connect()).rejects.toMatchObject({
    code: 'PEG_CONFIG',
    message: expect.stringContaining('oauth.clientSecret or oauth.privateKey') as string,
  });
  expect(at.server.requests.size).toBe(0);
});
