import { connect } from 'node:net';
import { request } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedHost } from '../../../../plugins/builtin-mcp-server/served-host.ts';
import { serveHttp, type HttpServer } from '../../../../plugins/builtin-mcp-server/http/http.ts';
import { suiteHost, type SuiteHost } from '../../../fixtures/mcp-server/suite-host.ts';
import { callBody, modernHeaders, openSession, post } from '../../../kit/mcp/mcp-wire.ts';
import { sendRaw } from '../../../kit/servers/raw-http.ts';
import { servedHost } from '../../../kit/mcp/served-host.ts';
import { echoTool, memorySource } from '../../../kit/source.ts';

describe('a running server', () => {
  let host: SuiteHost;
  let server: HttpServer;
  beforeAll(async () => {
    host = await suiteHost();
    server = await serveHttp(host, { port: 0 });
  });
  afterAll(() => server.close());

  test.each(['modern', 'legacy'] as const)(
    'stops a call whose %s client goes away, and serves the next',
    async (era) => {
      const session = era === 'legacy' ? await openSession(server) : undefined;
      const headers = session ?? modernHeaders('wait');
      const running = host.waiting();
      const aborted = host.aborted();
      const sent = request({
        port: server.port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/mcp',
        headers: {
          ...headers,
          Host: `localhost:${server.port}`,
          Authorization: `Bearer ${server.token}`,
          'Content-Type': 'application/json',
        },
      });
      sent.on('error', () => {});
      sent.end(callBody('wait', {}, era));
      await running;
      sent.destroy();
      expect(String(await aborted)).toContain('the client disconnected');
      const next = await post(
        server,
        callBody('echo', { message: 'next' }, era),
        session ?? modernHeaders('echo'),
      );
      expect(next.text).toContain('next for');
    },
  );

  test('answers a plain call with plain JSON, and one with progress as a stream', async () => {
    const plain = await post(server, callBody('echo', { message: 'x' }, 'modern'), modernHeaders('echo'));
    expect(plain.headers['content-type']).toBe('application/json');
    const meta = { progressToken: 'p' };
    const streamed = await post(server, callBody('steps', {}, 'modern', meta), modernHeaders('steps'));
    expect(streamed.headers['content-type']).toBe('text/event-stream');
    const messages = streamed.text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as object);
    expect(messages).toHaveLength(4);
    expect(messages[0]).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1 },
    });
    expect(messages[3]).toMatchObject({
      id: 1,
      result: { resultType: 'complete', content: [{ text: 'done' }] },
    });
  });

  test('refuses a body that is no JSON, or no JSON-RPC, in a way that JSON-RPC clients understand', async () => {
    expect(JSON.parse((await post(server, '{"jsonrpc": "2.0", ')).text)).toMatchObject({
      error: { code: -32700 },
    });
    expect(await post(server, '[]')).toMatchObject({ status: 400 });
    expect(await post(server, '"hello"')).toMatchObject({ status: 400 });
    expect(await post(server, '{"jsonrpc":"2.0","id":{},"method":"ping"}')).toMatchObject({ status: 400 });
    expect(await post(server, '\0\0\0')).toMatchObject({ status: 400 });
  });

  test('takes 10 MB of arguments, and refuses more than 16 MiB with 413, declared or not', async () => {
    const large = 'x'.repeat(10_000_000);
    const taken = await post(server, callBody('echo', { message: large }, 'modern'), modernHeaders('echo'));
    expect(taken.status).toBe(200);
    const declared = await post(server, ' '.repeat(17 * 1024 * 1024)).catch((cause: unknown) => cause);
    // The server need not read what it refuses, and may close while it is still being sent.
    if (!(declared instanceof Error)) expect(declared).toMatchObject({ status: 413 });
    expect(await sendChunked(server, 17 * 1024 * 1024)).toContain('413');
  });

  test('takes arguments nested very deep, with a failed result and no harm', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const body = callBody('echo', { message: 'DEEP' }, 'modern').replace('"DEEP"', deep);
    const answer = await post(server, body, modernHeaders('echo'));
    expect(JSON.parse(answer.text)).toMatchObject({ result: { isError: true } });
  });

  test('refuses a second request under an id that is still in use', async () => {
    const session = await openSession(server);
    const running = host.waiting();
    const aborted = host.aborted();
    const first = post(server, callBody('wait', {}, 'legacy'), session);
    await running;
    const second = await post(server, callBody('echo', { message: 'x' }, 'legacy'), session);
    expect(second).toMatchObject({ status: 400 });
    await post(
      server,
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      session,
    );
    await aborted;
    expect((await first).text).toBe('');
  });

  test('ends a session at its client’s wish, for good', async () => {
    const session = await openSession(server);
    expect(await sendRaw(server.port, { method: 'DELETE', headers: wire(server, session) })).toMatchObject({
      status: 200,
    });
    expect(await post(server, callBody('echo', { message: 'x' }, 'legacy'), session)).toMatchObject({
      status: 404,
    });
  });

  test('knows a session id that somebody made up, or changed, from its own', async () => {
    const session = await openSession(server);
    const id = session['Mcp-Session-Id']!;
    for (const wrong of ['made-up', `${id}x`, id.slice(0, -1), `x${id}`]) {
      const answer = await post(server, callBody('echo', {}, 'legacy'), { 'Mcp-Session-Id': wrong });
      expect(answer).toMatchObject({ status: 404 });
    }
    expect(await post(server, callBody('echo', {}, 'legacy'))).toMatchObject({ status: 400 });
  });
});

test('a port that is in use is reported as such', async () => {
  const host = await servedHost([]);
  const server = await serveHttp(host, { port: 0 });
  await expect(serveHttp(host, { port: server.port })).rejects.toMatchObject({
    code: 'PEG_CONFIG',
    message: expect.stringContaining(`Port ${server.port} on 127.0.0.1 is in use`) as string,
  });
  await server.close();
});

test('closing ends streams at once and calls within 2 s', async () => {
  const host = await suiteHost();
  const server = await serveHttp(host, { port: 0 });
  const session = await openSession(server);
  const stream = request({
    port: server.port,
    host: '127.0.0.1',
    path: '/mcp',
    headers: {
      ...session,
      Host: `localhost:${server.port}`,
      Authorization: `Bearer ${server.token}`,
      Accept: 'text/event-stream',
    },
  });
  stream.end();
  const [answer] = (await once(stream, 'response')) as [NodeJS.ReadableStream];
  const ended = once(answer.resume(), 'close');
  const running = host.waiting();
  const aborted = host.aborted();
  post(server, callBody('wait', {}, 'modern'), modernHeaders('wait')).catch(() => {});
  await running;
  await server.close();
  await Promise.all([ended, aborted]);
});

test('a call that ends soon gets its answer although the server closes', async () => {
  const started = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const slow = echoTool({
    async execute() {
      started.resolve();
      await proceed.promise;
      return 'in time';
    },
  });
  const server = await serveHttp(await servedHost([slow]), { port: 0 });
  const answer = post(server, callBody('echo', {}, 'modern'), modernHeaders('echo'));
  await started.promise;
  const closing = server.close();
  proceed.resolve();
  expect((await answer).text).toContain('in time');
  await closing;
});

describe('presets', () => {
  test('give each path its own selection', async () => {
    const host = await twoModules();
    const server = await serveHttp(host, { port: 0 });
    const names = async (path: string): Promise<unknown> => {
      const answer = await post(server, listBody, modernHeaders(undefined, 'tools/list'), path);
      return (JSON.parse(answer.text) as { result: { tools: { name: string }[] } }).result.tools.map(
        ({ name }) => name,
      );
    };
    expect(await names('/mcp')).toEqual(['a', 'b', 'two__a']);
    expect(await names('/mcp/two')).toEqual(['two__a']);
    expect(await names('/mcp/short')).toEqual(['b']);
    const refused = await post(server, callBody('a', {}, 'modern'), modernHeaders('a'), '/mcp/short');
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: -32602 } });
    await server.close();
  });

  test('that nobody has are 404, with near names', async () => {
    const server = await serveHttp(await twoModules(), { port: 0 });
    const answer = await post(server, listBody, modernHeaders(undefined, 'tools/list'), '/mcp/shrot');
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('Did you mean short?');
    await server.close();
  });

  test('can be what /mcp itself offers; an unknown one stops the start', async () => {
    const host = await twoModules();
    const server = await serveHttp(host, { port: 0, preset: 'short' });
    const answer = await post(server, listBody, modernHeaders(undefined, 'tools/list'));
    expect(answer.text).not.toContain('two__a');
    await server.close();
    await expect(serveHttp(host, { port: 0, preset: 'shrot' })).rejects.toThrow('Did you mean short?');
  });

  test('have sessions of their own', async () => {
    const server = await serveHttp(await twoModules(), { port: 0 });
    const session = await openSession(server, '/mcp/short');
    expect(await post(server, callBody('b', {}, 'legacy'), session, '/mcp/short')).toMatchObject({
      status: 200,
    });
    expect(await post(server, callBody('b', {}, 'legacy'), session)).toMatchObject({ status: 404 });
    await server.close();
  });
});

test('a change that a selection does not show is no news to it', async () => {
  const one = memorySource([echoTool({ name: 'a' })], { module: 'one' });
  const two = memorySource([echoTool({ name: 'b' })], { module: 'two' });
  const host = await servedHost(one);
  await host.registry.add(two);
  const { openEndpoint } = await import('../../../../plugins/builtin-mcp-server/endpoint.ts');
  const { openSigner } = await import('../../../../plugins/builtin-mcp-server/http/signer.ts');
  const { forgottenTexts } = await import('../../../../plugins/builtin-mcp-server/http/kept-texts.ts');
  using endpoint = openEndpoint(host, { preset: undefined, path: 'two' }, await openSigner(forgottenTexts));
  const news: unknown[] = [];
  endpoint.onChange((item) => news.push(item));
  const registered = (): Promise<void> =>
    new Promise((resolve) => {
      const listening = host.registry.onChange(() => {
        listening[Symbol.dispose]();
        resolve();
      });
    });
  let changed = registered();
  one.change({ tools: [echoTool({ name: 'a' }), echoTool({ name: 'c' })] });
  await changed;
  expect(news).toEqual([]);
  changed = registered();
  two.change({ tools: [echoTool({ name: 'b', description: 'other' })] });
  await changed;
  expect(news).toMatchObject([{ about: 'tools' }]);
});

test('10,000 tools are listed whole', async () => {
  const tools = Array.from({ length: 10_000 }, (_, i) => echoTool({ name: `tool_${i}` }));
  const server = await serveHttp(await servedHost(tools, { mode: 'direct' }), { port: 0 });
  const answer = await post(server, listBody, modernHeaders(undefined, 'tools/list'));
  expect((JSON.parse(answer.text) as { result: { tools: unknown[] } }).result.tools).toHaveLength(10_000);
  await server.close();
});

const listBody = callBody(undefined, {}, 'modern');

async function twoModules(): Promise<ServedHost> {
  const host = await servedHost(
    memorySource([echoTool({ name: 'a' }), echoTool({ name: 'b' })], { module: 'one' }),
    {
      presets: { short: { allowed: ['one.*'], blocked: ['one.a'] } },
    },
  );
  await host.registry.add(memorySource([echoTool({ name: 'a' })], { module: 'two' }));
  return host;
}

function wire(server: HttpServer, headers: { readonly [name: string]: string }): readonly string[] {
  return [
    'Host',
    `localhost:${server.port}`,
    'Authorization',
    `Bearer ${server.token}`,
    ...Object.entries(headers).flat(),
  ];
}

/** Sends a body without a length; returns what the server responds before it closes. */
async function sendChunked(server: HttpServer, bytes: number): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.on('error', () => {});
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
  for (let sent = 0; sent < bytes && socket.writable; sent += 0x100000) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
  socket.end('0\r\n\r\n');
  await once(socket, 'close');
  return answer;
}
