import { existsSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAgentHome } from '../../../kit/homes/agent-home.ts';
import { pegboard, startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { listenAsMcp } from '../../../kit/mcp/mcp-json-server.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';

let home: TestHome;
let serving: RunningCli;
let url: URL;
const owned = new AsyncDisposableStack();
const token = 'only-for-this-test';

beforeAll(async () => {
  // Returns the headers of a call.
  const echo = owned.use(
    await listenAsMcp(({ id }, response, { headers }) => {
      const { authorization, 'x-tenant': tenant } = headers;
      const isOwn = authorization === `Bearer key-of-${String(tenant)}`;
      const content = [{ type: 'text', text: JSON.stringify({ tenant, isOwn }) }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
    }),
  );
  const keeps = fixture('keeps');
  home = owned.use(
    await createHome({
      'pegboard.yaml': JSON.stringify({
        serve: { token, mode: 'direct' },
        mcpServers: {
          own: { ...keeps, scope: 'session' },
          shared: keeps,
          single: { ...keeps, scope: 'session', maxSessions: 1 },
          brief: { ...keeps, scope: 'session', idleTimeout: 0.05 },
          started: { ...keeps, env: { ...keeps.env, WHO: '${header:X-Tenant}' } },
          web: {
            url: `${echo.url}/mcp`,
            headers: { Authorization: '${header:Authorization}', 'X-Tenant': '${header:X-Tenant:-nobody}' },
          },
        },
      }),
    }),
  );
  serving = owned.use(startPegboard(['serve', '--http', '0'], { home: home.path }));
  url = new URL(/serving (\S+)/.exec(await serving.waitFor(/serving \S+/))![1]!);
});
afterAll(() => owned.disposeAsync());

interface Connected extends AsyncDisposable {
  readonly client: Client;
  /** A tool's result, parsed if it is JSON. */
  call(this: void, name: string, args?: Record<string, unknown>): Promise<any>;
  /** Ends the session, as clients do before they exit. */
  leave(): Promise<void>;
}

async function connect(
  headers: Record<string, string> = {},
  mode: 'legacy' | 'auto' = 'legacy',
): Promise<Connected> {
  const own = 'Authorization' in headers ? { 'Pegboard-Token': token } : { Authorization: `Bearer ${token}` };
  const client = new Client({ name: 'the-same', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...own, ...headers } },
  });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      const { content } = await client.callTool({ name, arguments: args });
      const [block] = content;
      const said = block?.type === 'text' ? block.text : '';
      return said.startsWith('{') ? (JSON.parse(said) as unknown) : said;
    },
    async leave() {
      await transport.terminateSession();
      await client.close();
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe('with scope: session', () => {
  test('each client has a process of its own, with its own state, resources and news', async () => {
    await using one = await connect();
    await using other = await connect();
    const news: string[] = [];
    other.client.setNotificationHandler('notifications/resources/list_changed', () => void news.push('list'));
    await other.call('own__keep', { text: 'blue' });
    // Notifications without an open stream are sent with the next response.
    const heard = async () => (await other.client.ping(), news);
    await expect.poll(heard).toEqual(['list']);
    const { pid } = await one.call('own__keep', { text: 'red' });
    const shown = await other.call('own__show');
    expect(shown).toMatchObject({ kept: ['blue'] });
    expect(shown.pid).not.toBe(pid);
    expect(await one.call('own__show')).toEqual({ kept: ['red'], pid });
    const uris = async ({ client }: Connected) =>
      (await client.listResources()).resources.map(({ uri }) => uri);
    expect(await uris(one)).toEqual(['kept://red']);
    expect(await uris(other)).toEqual(['kept://blue']);
    expect((await one.client.readResource({ uri: 'kept://all' })).contents).toMatchObject([{ text: 'red' }]);
    expect(news).toEqual(['list']);
  });

  test('the process ends with its session, and no other does', async () => {
    const leaving = await connect();
    await using staying = await connect();
    const { pid } = await leaving.call('own__keep', { text: 'red' });
    const stays = await staying.call('own__show');
    await leaving.leave();
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    expect(await staying.call('own__show')).toEqual(stays);
  });

  test('one more than maxSessions ends the one that has waited longest, and an idle one ends by itself', async () => {
    await using one = await connect();
    await using other = await connect();
    const first = await one.call('single__keep', { text: 'red' });
    await other.call('single__keep', { text: 'blue' });
    await expect.poll(() => isRunning(first.pid), { timeout: 10_000 }).toBe(false);
    expect(await one.call('single__show')).toMatchObject({ kept: [] });

    const { pid } = await one.call('brief__keep', { text: 'red' });
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });

  test('each conversation of an agent has a process of its own', async () => {
    const call = (name: string, args: object) => ({ toolCalls: [{ name: `own__${name}`, arguments: args }] });
    const done = { text: 'Done.' };
    const script = [call('keep', { text: 'red' }), done, call('show', {}), done, call('show', {}), done];
    const files = {
      '.mcp.json': JSON.stringify({ mcpServers: { own: { ...fixture('keeps'), scope: 'session' } } }),
    };
    await using agents = await openAgentHome(script, { files });
    await agents.host.servers.settled();
    const shown: unknown[] = [];
    for (const externalId of ['one', 'other', 'one']) {
      const { toolCalls } = await agents.say('go', { externalId, ask: async () => ({ action: 'accept' }) });
      shown.push(/"kept":\[[^\]]*\]/.exec(toolCalls[0]!.result)?.[0]);
    }
    expect(shown).toEqual(['"kept":["red"]', '"kept":[]', '"kept":["red"]']);
  });

  test('a client whose protocol has no sessions says with a header what belongs together', async () => {
    await using nameless = await connect({}, 'auto');
    expect(await nameless.call('own__show')).toContain('Add the header Pegboard-Session');
    await using one = await connect({ 'Pegboard-Session': 'red' }, 'auto');
    await using other = await connect({ 'Pegboard-Session': 'blue' }, 'auto');
    await one.call('own__keep', { text: 'red' });
    await other.call('own__keep', { text: 'blue' });
    expect(await one.call('own__show')).toMatchObject({ kept: ['red'] });
    expect(await other.call('own__show')).toMatchObject({ kept: ['blue'] });
  });

  test.each(['own', 'shared'])(
    'what the server "%s" logs between calls reaches the one client that it is for',
    async (server) => {
      await pegboard(['mcp', 'list'], { home: home.path });
      await using one = await connect();
      await using other = await connect();
      const logged = Promise.withResolvers<unknown>();
      const others: unknown[] = [];
      one.client.setNotificationHandler('notifications/message', ({ params }) => logged.resolve(params));
      other.client.setNotificationHandler('notifications/message', ({ params }) => void others.push(params));
      if (server === 'own') await other.call('own__show');
      await one.call(`${server}__log_later`);
      expect(await logged.promise).toEqual({ level: 'info', logger: 'keeps', data: 'afterwards' });
      expect(others).toEqual([]);
    },
  );
});

describe('with ${header:…}', () => {
  test.each(['legacy', 'auto'] as const)(
    'each client brings its own credentials, also while others call, in mode %s',
    async (mode) => {
      const tenants = ['one', 'two', 'three'];
      const clients = await Promise.all(
        tenants.map((tenant) =>
          connect({ Authorization: `Bearer key-of-${tenant}`, 'X-Tenant': tenant }, mode),
        ),
      );
      const { tools } = await clients[0]!.client.listTools();
      expect(tools.map(({ name }) => name)).toContain('web__whoami');
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all(clients.map(({ call }) => call('web__whoami')));
        expect(answers).toEqual(tenants.map((tenant) => ({ tenant, isOwn: true })));
      }
      const started = await Promise.all(clients.map(({ call }) => call('started__show')));
      expect(started.map(({ who }) => who)).toEqual(tenants);
      expect(new Set(started.map(({ pid }) => pid)).size).toBe(3);
      await Promise.all(clients.map((one) => one[Symbol.asyncDispose]()));
    },
  );

  test('a value that is not ASCII arrives in the bytes that were sent, in every request', async () => {
    for (const tenant of ['Zo\u00EB', Buffer.from('Zo\u00EB').toString('latin1')]) {
      await using client = await connect({ Authorization: `Bearer key-of-${tenant}`, 'X-Tenant': tenant });
      expect(await client.call('web__whoami')).toEqual({ tenant, isOwn: true });
      expect(await client.call('started__show')).toMatchObject({ who: tenant });
    }
  });

  test('a missing header is named, our own token is never passed on, and a default is used', async () => {
    await using known = await connect({ Authorization: 'Bearer key', 'X-Tenant': 'one' });
    await known.call('web__whoami');
    await using client = await connect();
    expect(await client.call('web__whoami')).toContain(
      'headers.Authorization needs the header Authorization of the calling client, which this client did not send in addition to the token for Pegboard: send that token as Pegboard-Token',
    );
    expect(await client.call('started__show')).toContain('env.WHO needs the header X-Tenant');
    await using plain = await connect({ Authorization: 'Basic YTpi' });
    expect(await plain.call('web__whoami')).toMatchObject({ tenant: 'nobody' });
    await using fresh = await createHome({
      'pegboard.yaml': JSON.stringify({
        mcpServers: { x: { url: 'http://localhost:1', headers: { A: '${header:X-A}' } } },
      }),
    });
    expect((await pegboard(['call', 'x.any'], { home: fresh.path })).stderr).toContain(
      'it connects when a client that sends X-A makes a call',
    );
    const { stderr } = await pegboard(['call', 'started.show'], { home: home.path });
    expect(stderr).toContain('this call does not come from an MCP client over HTTP');
  });

  test('our own token is passed on under no name', async () => {
    const basic = Buffer.from(`anna:${token}`).toString('base64');
    const places = { Authorization: `Bearer ${token}`, 'X-Tenant': `t ${token}` };
    for (const headers of [places, { ...places, Authorization: `Basic ${basic}` }]) {
      await using client = await connect(headers);
      // Nothing is left to be passed on.
      expect(await client.call('web__whoami').catch(String)).toContain('needs the header Authorization');
    }
  });

  test('what one client sends changes nothing for another', async () => {
    const text = 'an ordinary text of some length';
    await using one = await connect({ Authorization: 'Bearer key-of-red', 'X-Tenant': text });
    await one.call('web__whoami');
    await using other = await connect();
    expect(await other.call('shared__keep', { text })).toMatchObject({
      kept: expect.arrayContaining([text]) as string[],
    });
  });

  test('a wrong token beside a good Authorization opens nothing', async () => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        'Pegboard-Token': 'something-else-here',
      },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });
});
