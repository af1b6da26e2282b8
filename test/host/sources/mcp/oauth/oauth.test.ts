import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { McpOAuthConfig } from '../../../../../host/sources/mcp/config.ts';
import { listen } from '../../../../../host/testing/http-server.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { startOAuthServer, type OAuthServerOptions } from '../../../../kit/mcp/mcp-oauth-server.ts';
import { caller, createMcpLab } from '../../../../kit/mcp/mcp-source.ts';

/** A person who approves immediately. */
const browser = async (url: string): Promise<void> => void (await fetch(url));

/** Somebody else on this machine is first, with a guessed state. */
const intruder = async (url: string): Promise<void> => {
  const redirect = new URL(new URL(url).searchParams.get('redirect_uri')!);
  redirect.search = '?code=stolen&state=guessed';
  expect((await fetch(redirect)).status).toBe(404);
  await browser(url);
};

/** The response to a GET with this Host header. */
async function statusAs(host: string, url: URL): Promise<number | undefined> {
  const [response] = (await once(get(url, { headers: { host } }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function protectedServer(options: OAuthServerOptions = {}, oauth: McpOAuthConfig = {}) {
  const server = await startOAuthServer(options);
  const lab = await createMcpLab();
  const open = () => lab.open('private', { url: `${server.url}/mcp`, oauth });
  return {
    server,
    lab,
    open,
    source: open(),
    file: join(lab.data, 'oauth/private.json'),
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('a server that wants a login is not asked again and again, and says how to log in', async () => {
  await using at = await protectedServer();
  await expect(at.source.connect()).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAUTHORIZED',
    message: expect.stringContaining('pegboard mcp login private') as string,
  });
  expect(at.source.status().state).toBe('unauthorized');
  const before = at.server.requests.get('/mcp');
  await expect(at.source.callTool('whoami', {}, caller())).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAUTHORIZED',
  });
  expect(at.server.requests.get('/mcp')).toBe(before);
  expect(at.server.requests.get('/register')).toBeUndefined();
});

test('the page that a browser ends at says what became of the login, when that is known', async () => {
  await using at = await protectedServer();
  const pages: Promise<Response>[] = [];
  const open = (url: string): void => void pages.push(fetch(url));
  at.server.failExchanges('<b>no</b> such code');
  await expect(at.source.login(open)).rejects.toMatchObject({ code: 'PEG_SERVER_UNAUTHORIZED' });
  const failed = await pages[0]!;
  expect(failed.status).toBe(400);
  expect(await failed.text()).toMatch(/is not logged in.*&#60;b&#62;no/);

  at.server.failExchanges(undefined);
  await at.source.login(open);
  const done = await pages[1]!;
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Pegboard is logged in.')]);
});

test('the browser comes back to a name of this machine alone', async () => {
  await using at = await protectedServer();
  const statuses: (number | undefined)[] = [];
  await at.source.login(async (url) => {
    const { searchParams } = new URL(url);
    const back = new URL(searchParams.get('redirect_uri')!);
    back.search = String(new URLSearchParams({ code: 'x', state: searchParams.get('state')! }));
    for (const host of ['evil.example', `evil.example:${back.port}`, '127.0.0.1', '127.0.0.1:1'])
      statuses.push(await statusAs(host, back));
    await browser(url);
  });
  expect(statuses).toEqual([404, 404, 404, 404]);
});

test('metadata that a server names at another origin are not asked for', async () => {
  const asked: (string | undefined)[] = [];
  await using other = await listen((request, response) => {
    asked.push(request.url);
    response.writeHead(404).end();
  });
  await using at = await protectedServer({ namesMetadataAt: `${other.url}/secret` });
  await at.source.login(browser);
  expect(at.source.status().state).toBe('ready');
  expect(asked).toEqual([]);

  at.server.denyLogins();
  await expect(at.source.login(browser)).rejects.toThrow(`${other.url}/secret`);
});

test('after a login it is connected, and stays logged in over restarts', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  expect(at.source.status()).toMatchObject({ state: 'ready', tools: 1 });
  expect(textOf(await at.source.callTool('whoami', {}, caller()))).toBe('you');
  await at.source[Symbol.asyncDispose]!();

  const again = at.open();
  await again.connect();
  expect(again.status().state).toBe('ready');
});

test('tokens are kept for this user alone, and never shown', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  expect((await stat(at.file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(at.file, '..'))).mode & 0o777).toBe(0o700);
  const { tokens } = JSON.parse(await readFile(at.file, 'utf8')) as { tokens: { access_token: string } };
  expect(at.lab.redact(`Bearer ${tokens.access_token}`)).toBe('Bearer [secret private token]');
});

test('a token that has expired is renewed once, however many calls need it', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  at.server.expireTokens();
  const before = at.server.requests.get('/token')!;
  const answers = await Promise.all([1, 2, 3].map(() => at.source.callTool('whoami', {}, caller())));
  expect(answers.map(textOf)).toEqual(['you', 'you', 'you']);
  expect(at.server.requests.get('/token')).toBe(before + 1);
});

test('a token is never sent to another address than the one it was given for', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  await using other = await startOAuthServer();
  const moved = at.lab.open('private', { url: `${other.url}/mcp` });
  await expect(moved.connect()).rejects.toMatchObject({ code: 'PEG_SERVER_UNAUTHORIZED' });
});

test('a refresh that is refused registers no other client, and asks for a login', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  expect(at.server.requests.get('/register')).toBe(1);
  for (const error of ['invalid_client', 'invalid_grant']) {
    at.server.expireTokens();
    at.server.failExchanges('gone', error);
    await expect(at.source.callTool('whoami', {}, caller())).rejects.toMatchObject({
      code: 'PEG_SERVER_UNAUTHORIZED',
    });
  }
  expect(at.server.requests.get('/register')).toBe(1);
});

test('a login uses the registration of the one before, also if that was denied', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  await at.source.login(browser);
  at.server.denyLogins();
  for (let login = 0; login < 2; login++)
    await expect(at.source.login(browser)).rejects.toThrow('access_denied');
  expect(at.server.requests.get('/register')).toBe(1);
  expect(new Set(at.server.clients).size).toBe(1);
});

test('a login registers anew where the browser has to return to another address', async () => {
  await using at = await protectedServer();
  const addresses: URL[] = [];
  const noting = async (url: string): Promise<void> => {
    addresses.push(new URL(new URL(url).searchParams.get('redirect_uri')!));
    await browser(url);
  };
  await at.source.login(noting);
  await using taken = createServer().listen(Number(addresses[0]!.port), '127.0.0.1');
  await once(taken, 'listening');
  await at.source.login(noting);
  expect(addresses[1]!.port).not.toBe(addresses[0]!.port);
  expect(at.server.requests.get('/register')).toBe(2);
});

test('a login registers anew after one that came to no end, or whose registration the server does not know', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  at.server.forgetClients();
  const controller = new AbortController();
  const seeErrorPage = async (url: string): Promise<void> => {
    expect((await fetch(url)).status).toBe(400);
    controller.abort(new Error('never mind'));
  };
  await expect(at.source.login(seeErrorPage, { signal: controller.signal })).rejects.toThrow('never mind');
  await at.source.login(browser);
  expect(at.server.requests.get('/register')).toBe(2);
  at.server.failExchanges('gone', 'invalid_client');
  await expect(at.source.login(browser)).rejects.toThrow('log in once more');
  at.server.failExchanges(undefined);
  await at.source.login(browser);
  expect(at.server.requests.get('/register')).toBe(3);
});

test('a login that is refused, or given up, ends with the reason', async () => {
  await using at = await protectedServer();
  const controller = new AbortController();
  const giveUp = () => controller.abort(new Error('never mind'));
  await expect(at.source.login(giveUp, { signal: controller.signal })).rejects.toThrow('never mind');
  at.server.denyLogins();
  await expect(at.source.login(browser)).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAUTHORIZED',
    message: 'Logging in to MCP server "private" failed: the authorization server refused (access_denied)',
  });
});

test('a visitor who does not bring back the state of the login is not let in', async () => {
  await using at = await protectedServer();
  await at.source.login(intruder);
  expect(at.source.status().state).toBe('ready');
});

test('a login in another process is noticed at the next call', async () => {
  await using at = await protectedServer();
  await expect(at.source.connect()).rejects.toMatchObject({ code: 'PEG_SERVER_UNAUTHORIZED' });
  // Another source on the same folder acts like \`pegboard mcp login\` next to a running host.
  await at.open().login(browser);
  expect(textOf(await at.source.callTool('whoami', {}, caller()))).toBe('you');
});

test('a call that lacks a permission says which, and the next login asks for it', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  at.server.requireScope('write');
  await expect(at.source.callTool('whoami', {}, caller())).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAUTHORIZED',
    message: expect.stringContaining('It asks for: write.') as string,
  });
  await at.source.login(browser);
  expect(at.server.asked.at(-1)).toBe('tools write');
  expect(textOf(await at.source.callTool('whoami', {}, caller()))).toBe('you');
});

test.each(['tools/call', 'tools/list'])(
  'a server that guards %s alone is logged in to as well, by whoever comes later',
  async (guarded) => {
    await using at = await protectedServer({ guards: ({ method }) => method === guarded });
    const work = async () => {
      await at.source.connect();
      await at.source.callTool('whoami', {}, caller());
    };
    await expect(work()).rejects.toMatchObject({ code: 'PEG_SERVER_UNAUTHORIZED' });
    await at.open().login(browser);
    expect(at.server.requests.get('/token')).toBe(1);
    expect(textOf(await at.source.callTool('whoami', {}, caller()))).toBe('you');
  },
);

test('where nothing can be written, a refusal is still what the caller gets', async () => {
  await using at = await protectedServer();
  await writeFile(join(at.lab.data, 'oauth'), 'in the way of the folder');
  await expect(at.source.connect()).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAUTHORIZED',
    message: expect.stringContaining('pegboard mcp login private') as string,
  });
});

test('nobody is signed in to a server that lets everybody in', async () => {
  await using at = await protectedServer({ guards: () => false });
  await at.source.connect();
  await expect(at.source.login(browser)).rejects.toMatchObject({
    code: 'PEG_USAGE',
    message: expect.stringContaining('You are not logged in') as string,
  });
  expect(at.server.requests.get('/authorize')).toBeUndefined();
});

test.each([false, true])(
  'permissions that calls lacked add up over processes and logins, also when the server %s what it granted',
  async (silentAboutScope) => {
    await using at = await protectedServer({ silentAboutScope });
    await at.open().login(browser);
    for (const [scope, asked] of [
      ['write', 'tools write'],
      ['admin', 'tools write admin'],
    ] as const) {
      at.server.requireScope(scope);
      await expect(at.source.callTool('whoami', {}, caller())).rejects.toMatchObject({
        code: 'PEG_SERVER_UNAUTHORIZED',
      });
      await at.open().login(browser);
      expect(at.server.asked.at(-1)).toBe(asked);
      expect(textOf(await at.source.callTool('whoami', {}, caller()))).toBe('you');
    }
    at.server.expireTokens();
    await at.open().login(browser);
    expect(at.server.asked.at(-1)).toBe('tools write admin');
  },
);

test('permissions that are asked for and not given are named, and another login is not promised to help', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  at.server.requireScope('write');
  at.server.withhold('write');
  await expect(at.source.callTool('whoami', {}, caller())).rejects.toThrow('Log in again');
  expect(await at.source.login(browser)).toEqual({ missing: ['write'] });
  await expect(at.source.callTool('whoami', {}, caller())).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAUTHORIZED',
    message: expect.stringContaining('although the last login requested what it requires: write') as string,
  });
});

test('permissions that the authorization server does not know are not asked for for ever', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  at.server.requireScope('gone');
  at.server.refuseScope('gone');
  await expect(at.source.callTool('whoami', {}, caller())).rejects.toThrow('gone');
  await expect(at.source.login(browser)).rejects.toThrow('invalid_scope');
  await at.source.login(browser);
  expect(at.server.asked.at(-1)).toBe('tools');
});

const page = 'https://example.com/pegboard.json';

test("the address of a client's own page is its id where that is taken, and it registers itself elsewhere", async () => {
  await using modern = await protectedServer({ takesClientPages: true }, { clientMetadataUrl: page });
  await modern.source.login(browser);
  expect(modern.server.clients).toEqual([page]);
  expect(modern.server.requests.get('/register')).toBeUndefined();
  expect(modern.source.status().state).toBe('ready');

  await using older = await protectedServer({}, { clientMetadataUrl: page });
  await older.source.login(browser);
  expect(older.server.clients).not.toContain(page);
  expect(older.server.requests.get('/register')).toBe(1);
});

test.each(['http://example.com/x', 'https://example.com', 'https://example.com/'])(
  'a client page at %s is refused before anything is sent',
  async (clientMetadataUrl) => {
    await using at = await protectedServer({ takesClientPages: true }, { clientMetadataUrl });
    await expect(at.source.login(browser)).rejects.toMatchObject({
      code: 'PEG_CONFIG',
      message: expect.stringContaining('oauth.clientMetadataUrl') as string,
    });
    expect(at.server.requests.size).toBe(0);
  },
);

test('another configured client has a login of its own', async () => {
  await using at = await protectedServer();
  await at.source.login(browser);
  const other = at.lab.open('private', { url: `${at.server.url}/mcp`, oauth: { clientId: 'other' } });
  await expect(other.connect()).rejects.toMatchObject({ code: 'PEG_SERVER_UNAUTHORIZED' });
});
