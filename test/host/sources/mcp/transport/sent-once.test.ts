import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listen, readBody } from '../../../../../host/testing/http-server.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import type { McpOAuthConfig } from '../../../../../host/sources/mcp/config.ts';
import {
  answerMcp,
  listenAsMcp,
  type McpMessage,
  type McpServerOptions,
} from '../../../../kit/mcp/mcp-json-server.ts';
import { startOAuthServer, type OAuthServerOptions } from '../../../../kit/mcp/mcp-oauth-server.ts';
import { caller, createMcpLab } from '../../../../kit/mcp/mcp-source.ts';

type OnCall = (message: McpMessage, response: ServerResponse, request: IncomingMessage) => void;

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const result = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, ...answerMcp({ method: 'tools/call', params: {} }) });
const answer = (response: ServerResponse, id: unknown): void =>
  void response.writeHead(200, json).end(result(id));

/** The result of one call, and how often the server has received it. */
async function callOnce(
  onCall: OnCall,
  options: McpServerOptions & {
    readonly onGet?: (request: IncomingMessage, response: ServerResponse) => void;
  } = {},
): Promise<{ readonly calls: number; readonly said: string }> {
  let calls = 0;
  await using server = await listenAsMcp(
    (message, response, request) => {
      calls++;
      onCall(message, response, request);
    },
    options.onGet,
    options,
  );
  await using lab = await createMcpLab();
  const source = lab.open('counted', { url: `${server.url}/mcp` });
  const said = await source.callTool('whoami', {}, caller()).then(textOf, (cause: Error) => cause.message);
  return { calls, said };
}

describe('a call that was answered is sent once', () => {
  const statuses = [
    300, 304, 305, 400, 402, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 418, 421, 422, 425, 426, 428,
    429, 431, 451, 500, 501, 502, 503, 504, 505, 507, 508, 511, 599,
  ];
  test.each(statuses)('with HTTP %i', async (status) => {
    const { calls, said } = await callOnce((_, response) => void response.writeHead(status).end());
    expect({ calls, said }).toEqual({
      calls: 1,
      said: expect.stringContaining(`answered with HTTP ${status}`) as string,
    });
  });

  test('with HTTP 401, which says who could help', async () => {
    const { calls, said } = await callOnce((_, response) => void response.writeHead(401).end());
    expect({ calls, said }).toEqual({
      calls: 1,
      said: expect.stringContaining('pegboard mcp login') as string,
    });
  });

  test.each([200, 201, 204, 205])('with HTTP %i and no result', async (status) => {
    const { calls, said } = await callOnce((_, response) => void response.writeHead(status).end());
    expect({ calls, said }).toEqual({
      calls: 1,
      said: expect.stringContaining('it ended its answer before it was complete') as string,
    });
  });

  test.each<[Record<string, string>, string]>([
    [
      {},
      'requires a login for this (HTTP 403). It asks for: write:all. Log in with `pegboard mcp login counted`',
    ],
    [{ Authorization: 'Bearer mine' }, 'refuses this with the Authorization header of its entry'],
  ])('with HTTP 403 for want of permissions, which fits what was shown (%j)', async (headers, why) => {
    let calls = 0;
    const challenge = 'Bearer error="insufficient_scope", scope="write:all"';
    await using server = await listenAsMcp((_, response) => {
      calls++;
      response.writeHead(403, { 'www-authenticate': challenge }).end();
    });
    await using lab = await createMcpLab();
    const source = lab.open('counted', { url: server.url, headers });
    const said = await source.callTool('whoami', {}, caller()).catch((cause: Error) => cause.message);
    expect(said).toContain(why);
    expect(said).not.toContain('at the login');
    expect(calls).toBe(1);
  });

  test.each([
    ['{"jsonrpc":"2.0",', 'JSON'],
    ['{"jsonrpc":"2.0","id":1,"result":{"a', 'JSON'],
    ['<html>log in</html>', 'is this the address of an MCP server? It may have'],
  ])('with %s in place of JSON, which is told in whole sentences', async (text, why) => {
    const { calls, said } = await callOnce((_, response) => void response.writeHead(200, json).end(text));
    expect(calls).toBe(1);
    expect(said).toContain(why);
    expect(said).not.toContain('?.');
    expect(said.includes('is this the address')).toBe(text.startsWith('<'));
  });

  test('with HTTP 202 and no stream on which an answer could come', async () => {
    const { calls, said } = await callOnce((_, response) => void response.writeHead(202).end());
    expect({ calls, said }).toEqual({
      calls: 1,
      said: expect.stringContaining('it ended its answer before it was complete') as string,
    });
  });

  test('with an error for nobody, which is then for this call', async () => {
    const error = { code: -32600, message: 'no such call' };
    const { calls, said } = await callOnce(
      (_, response) =>
        void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id: null, error })),
    );
    expect({ calls, said }).toEqual({
      calls: 1,
      said: 'MCP server "counted" refused tools/call: no such call',
    });
  });

  const tool = { name: 'whoami', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
  test.each([404, 500, 503])('with HTTP %i, also when its tool only reads', async (status) => {
    let calls = 0;
    await using server = await listenAsMcp(
      (_, response) => {
        calls++;
        response.writeHead(status).end();
      },
      undefined,
      { tools: [tool] },
    );
    await using lab = await createMcpLab();
    const source = lab.open('counted', { url: server.url });
    await expect(source.callTool('whoami', {}, caller())).rejects.toThrow(`HTTP ${status}`);
    expect(calls).toBe(1);
  });
});

describe('a redirect', () => {
  test.each([307, 308])('HTTP %i to its own address is not followed', async (status) => {
    const { calls, said } = await callOnce(
      (_, response) => void response.writeHead(status, { location: '/mcp' }).end(),
    );
    expect({ calls, said }).toEqual({
      calls: 1,
      said: expect.stringContaining('the request was sent there already') as string,
    });
    expect(said).not.toContain('as its url');
  });

  test('in a circle ends where it was', async () => {
    const { calls, said } = await callOnce((_, response, { url }) => {
      const location = url === '/mcp' ? '/a' : url === '/a' ? '/b' : '/mcp';
      response.writeHead(307, { location }).end();
    });
    expect({ calls, said }).toEqual({
      calls: 3,
      said: expect.stringContaining('the request was sent there already') as string,
    });
  });

  test('that leads on and on is given up', async () => {
    const seen: (string | undefined)[] = [];
    const { said } = await callOnce((_, response, { url }) => {
      seen.push(url);
      response.writeHead(307, { location: `/${seen.length}` }).end();
    });
    expect(said).toContain('there were 5 redirects before it');
    expect(seen).toEqual(['/mcp', '/1', '/2', '/3', '/4', '/5']);
  });

  test.each([301, 302, 303])('HTTP %i, which would make a GET of it, is reported', async (status) => {
    const { calls, said } = await callOnce(
      (_, response) => void response.writeHead(status, { location: '/other' }).end(),
    );
    expect({ calls, said }).toEqual({
      calls: 1,
      said: expect.stringMatching(
        /answered with HTTP 30\d: it redirects to http.*\/other, which is not followed/,
      ) as string,
    });
  });

  test('to another server is reported, and nothing is sent there', async () => {
    let elsewhere = 0;
    await using other = await listenAsMcp(() => void elsewhere++);
    const { calls, said } = await callOnce(
      (_, response) => void response.writeHead(307, { location: `${other.url}/mcp` }).end(),
    );
    expect({ calls, said }).toEqual({
      calls: 1,
      said: expect.stringContaining('that is another server') as string,
    });
    expect(elsewhere).toBe(0);
  });
});

describe('a session that is gone', () => {
  test('is begun anew, and the call is sent once more', async () => {
    const sessions: unknown[] = [];
    const { calls, said } = await callOnce(
      ({ id }, response, { headers }) => {
        sessions.push(headers['mcp-session-id']);
        if (sessions.length === 1) response.writeHead(404).end();
        else answer(response, id);
      },
      { sessions: true },
    );
    expect({ calls, said }).toEqual({ calls: 2, said: 'you' });
    expect(new Set(sessions).size).toBe(2);
  });

  test.each([404, 400])('time and again (HTTP %i) is reported after one repetition', async (status) => {
    const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
    const { calls, said } = await callOnce(
      (_, response) => void response.writeHead(status, json).end(JSON.stringify({ jsonrpc: '2.0', error })),
      { sessions: true },
    );
    expect({ calls, said }).toEqual({
      calls: 2,
      said: expect.stringContaining(
        `it answered with HTTP ${status}, as for an expired session: {`,
      ) as string,
    });
  });

  test('shows what the new one was answered with, where that is no JSON', async () => {
    const { calls, said } = await callOnce(
      (_, response) => void response.writeHead(404).end('no such page'),
      {
        sessions: true,
      },
    );
    expect(calls).toBe(2);
    expect(said).toContain('HTTP 404, as for an expired session: no such page');
    expect(said).not.toContain('its session has ended');
  });

  test('is not what an error of the call itself says', async () => {
    const error = { code: -32602, message: 'there is no session of that name' };
    const { calls, said } = await callOnce(
      ({ id }, response) =>
        void response.writeHead(400, json).end(JSON.stringify({ jsonrpc: '2.0', id, error })),
      { sessions: true },
    );
    expect({ calls, said }).toEqual({
      calls: 1,
      said: 'MCP server "counted" refused tools/call: there is no session of that name',
    });
  });
});

describe('a response to the call is its answer', () => {
  const statuses = [300, 307, 400, 403, 404, 405, 409, 410, 429, 500, 503];
  const redirected = { location: '/elsewhere' };

  test.each([...statuses, 401])('a result with HTTP %i', async (status) => {
    const { calls, said } = await callOnce(
      ({ id }, response) => void response.writeHead(status, { ...json, ...redirected }).end(result(id)),
      { sessions: true },
    );
    expect({ calls, said }).toEqual({ calls: 1, said: 'you' });
  });

  test.each(statuses)('an error with HTTP %i', async (status) => {
    const error = { code: -32601, message: 'no such method' };
    const { calls, said } = await callOnce(
      ({ id }, response) =>
        void response
          .writeHead(status, { ...json, ...redirected })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error })),
      { sessions: true },
    );
    expect({ calls, said }).toEqual({
      calls: 1,
      said: 'MCP server "counted" refused tools/call: no such method',
    });
  });

  test.each<[string, string, (id: unknown) => string]>([
    ['in a batch', 'application/json', (id) => `[${result(id)}]`],
    ['in an event', 'text/event-stream', (id) => `data: ${result(id)}\n\n`],
    ['behind a byte order mark', 'application/json', (id) => `\uFEFF${result(id)}`],
    ['with its id as text', 'application/json', (id) => result(String(id))],
    ['without a type', 'text/plain', result],
  ])('with HTTP 404, %s', async (_how, type, body) => {
    const { calls, said } = await callOnce(
      ({ id }, response) => void response.writeHead(404, { 'content-type': type }).end(body(id)),
      { sessions: true },
    );
    expect({ calls, said }).toEqual({ calls: 1, said: 'you' });
  });

  test('that says its session is gone is passed on, and the next call begins a new one', async () => {
    const sessions: unknown[] = [];
    await using server = await listenAsMcp(
      ({ id }, response, { headers }) => {
        sessions.push(headers['mcp-session-id']);
        const error = { code: -32001, message: 'Session not found' };
        if (sessions.length > 1) answer(response, id);
        else response.writeHead(404, json).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      },
      undefined,
      { sessions: true },
    );
    await using lab = await createMcpLab();
    const source = lab.open('counted', { url: server.url });
    await expect(source.callTool('whoami', {}, caller())).rejects.toThrow('Session not found');
    expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
    expect(new Set(sessions).size).toBe(2);
    expect(sessions).toHaveLength(2);
  });
});

test('a call that became a task is not made again when its session is gone later', async () => {
  const tool = { name: 'whoami', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } };
  const methods: string[] = [];
  await using server = await listen((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = JSON.parse(await readBody(request)) as McpMessage;
      methods.push(message.method);
      if (message.id === undefined) return response.writeHead(202).end();
      if (message.method === 'tasks/result') return response.writeHead(404).end();
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
          serverInfo: { name: 'tasks', version: '1' },
        },
        'tools/list': { tools: [tool] },
        'tools/call': { task: { taskId: 'one', status: 'working' } },
      };
      const { [message.method]: result } = results;
      const error = { code: -32601, message: 'no such method' };
      response.writeHead(200, { ...json, 'mcp-session-id': 'one' });
      return response.end(
        JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) }),
      );
    })();
  });
  await using lab = await createMcpLab();
  const source = lab.open('tasks', { url: server.url });
  await expect(source.callTool('whoami', {}, caller())).rejects.toThrow('it answered with HTTP 404');
  expect(methods.filter((method) => method === 'tools/call')).toHaveLength(1);
});

describe('a connection that is cut', () => {
  const cuts: Record<string, OnCall> = {
    'before the answer': (_, response) => void response.socket!.destroy(),
    'after its headers': (_, response) => {
      response.writeHead(200, { ...json, 'content-length': 100 });
      response.write('{"jsonrpc"', () => response.socket!.destroy());
    },
    'in a stream': (_, response) => {
      response.writeHead(200, events);
      response.write(': soon\n\n', () => response.socket!.destroy());
    },
  };
  test.each(Object.keys(cuts))('%s may have run the call, which is not sent again', async (when) => {
    const { calls, said } = await callOnce(cuts[when]!);
    expect({ calls, said }).toEqual({
      calls: 1,
      said: expect.stringContaining('It may have taken effect') as string,
    });
  });
});

describe('a login that is refused', () => {
  const browser = async (url: string): Promise<void> => void (await fetch(url));
  const openLab = async (options: OAuthServerOptions = {}, oauth: McpOAuthConfig = {}) => {
    const server = await startOAuthServer(options);
    const lab = await createMcpLab();
    const source = lab.open('private', { url: `${server.url}/mcp`, oauth });
    return {
      server,
      source,
      call: () => source.callTool('whoami', {}, caller()).then(textOf, (cause: Error) => cause.message),
      async [Symbol.asyncDispose]() {
        await lab[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  };

  test('has the call sent once more when its token was refreshed', async () => {
    await using at = await openLab();
    await at.source.login(browser);
    at.server.expireTokens();
    expect(await at.call()).toBe('you');
    expect(at.server.calls()).toBe(2);
  });

  test('and is refused again with the new token, ends there', async () => {
    await using at = await openLab();
    await at.source.login(browser);
    at.server.expireTokens({ newOnesToo: true });
    expect(await at.call()).toContain('pegboard mcp login private');
    expect(at.server.calls()).toBe(2);
  });

  test('and can not be refreshed, leaves it at one', async () => {
    await using at = await openLab();
    await at.source.login(browser);
    at.server.expireTokens();
    at.server.failExchanges('no more');
    expect(await at.call()).toContain('pegboard mcp login private');
    expect(at.server.calls()).toBe(1);
  });

  test('for lack of a permission leaves it at one until somebody has given it', async () => {
    await using at = await openLab();
    await at.source.login(browser);
    at.server.requireScope('write');
    expect(await at.call()).toContain('It asks for: write.');
    expect(at.server.calls()).toBe(1);
    await at.source.login(browser);
    expect(await at.call()).toBe('you');
    expect(at.server.calls()).toBe(2);
  });

  test('for lack of a permission is mended by a machine, once', async () => {
    const machine = { id: 'robot', secret: 'sesame' };
    const oauth = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'sesame' } as const;
    await using at = await openLab({ machine }, oauth);
    await at.source.connect();
    at.server.requireScope('write');
    expect(await at.call()).toBe('you');
    expect(at.server.calls()).toBe(2);
    at.server.requireScope('admin');
    at.server.withhold('admin');
    expect(await at.call()).toContain('refuses this');
    expect(at.server.calls()).toBe(4);
  });
});
