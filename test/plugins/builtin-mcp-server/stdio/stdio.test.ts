import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../../host/api/result.ts';
import { serveHttp } from '../../../../plugins/builtin-mcp-server/http/http.ts';
import { serveStdio } from '../../../../plugins/builtin-mcp-server/stdio/stdio.ts';
import { callBody, openSession, post } from '../../../kit/mcp/mcp-wire.ts';
import { servedHost } from '../../../kit/mcp/served-host.ts';

interface Served {
  readonly child: ChildProcessWithoutNullStreams;
  send(text: string): void;
  /** The next message on stdout. */
  next(): Promise<JsonObject>;
  /** Everything on stderr, and the exit code, after it has ended. */
  ended(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

function serve(): Served {
  const script = join(import.meta.dirname, '../../../fixtures/mcp-server/stdio.ts');
  const child = spawn(process.execPath, [script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const exit = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    send: (text) => void child.stdin.write(`${text}\n`),
    next: async () => JSON.parse(((await lines.next()) as { value: string }).value) as JsonObject,
    ended: async () => ({ code: (await exit)[0], stderr }),
  };
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

test('ends cleanly when its client closes stdin, also in the middle of a call', async () => {
  const server = serve();
  server.send(JSON.stringify(initialize));
  expect(await server.next()).toMatchObject({ id: 0, result: { serverInfo: { name: 'pegboard' } } });
  server.send(callBody('wait', {}, 'legacy'));
  server.child.stdin.end();
  expect(await server.ended()).toEqual({ code: 0, stderr: 'closed\n' });
});

test('ends cleanly when nobody ever said anything', async () => {
  const server = serve();
  server.child.stdin.end();
  expect(await server.ended()).toEqual({ code: 0, stderr: 'closed\n' });
});

/** The malformed part, and the id and code of the response. */
const malformed: readonly (readonly [string, unknown, number])[] = [
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', 1, -32600],
  ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}', 'a', -32600],
  ['{"jsonrpc":"2.0","id":3,"method":5}', 3, -32600],
  ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":"x"}', 4, -32600],
  ['{"jsonrpc":"1.0","id":5,"method":"ping"}', 5, -32600],
  ['{"id":6,"method":"ping"}', 6, -32600],
  ['{"jsonrpc":"2.0","id":7}', 7, -32600],
  ['{"jsonrpc":"2.0","id":8,"method":"ping","params":{"_meta":null}}', 8, -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5, -32600],
  ['{"jsonrpc":"2.0","id":true,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","method":["x"]}', null, -32600],
  ['{}', null, -32600],
  ['[]', null, -32600],
  ['7', null, -32600],
  ['null', null, -32600],
  ['garbage', null, -32700],
  ['{"jsonrpc":"2.0","id":9,', null, -32700],
];

test('answers what is malformed, with its id where that can be read, over stdio as over HTTP', async () => {
  const stdio = serve();
  await using http = await serveHttp(await servedHost([]), { port: 0 }).then((server) => ({
    ...server,
    [Symbol.asyncDispose]: () => server.close(),
  }));
  const session = await openSession(http);
  for (const isIntroduced of [false, true]) {
    if (isIntroduced) {
      stdio.send(JSON.stringify(initialize));
      await stdio.next();
    }
    for (const [text, id, code] of malformed) {
      stdio.send(text);
      const answer = await stdio.next();
      expect(answer, text).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
      const overHttp = await post(http, text, session);
      expect(overHttp.status, text).toBe(400);
      expect(JSON.parse(overHttp.text), text).toEqual(answer);
    }
  }
});

test('an id that is too long a number comes back as it was written', async () => {
  const output = new PassThrough();
  const server = await serveStdio(await servedHost([]), {
    input: new PassThrough().end('{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}\n'),
    output,
  });
  await server.closed;
  expect(String(output.read())).toContain('"id":12345678901234567890,"error":{"code":-32600');
});

test('answers neither notifications nor responses that are malformed', async () => {
  const server = serve();
  server.send(JSON.stringify(initialize));
  await server.next();
  server.send('{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}');
  server.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}}');
  server.send('{"jsonrpc":"1.0","id":1,"result":{}}');
  server.send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
  expect(await server.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});

test('the error for an unknown protocol version lists the known ones, whatever else is missing', async () => {
  const version = { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
  const request = { jsonrpc: '2.0', id: 5, method: 'tools/list', params: { _meta: version } };
  const refusal = { code: -32022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } };
  const stdio = serve();
  stdio.send(JSON.stringify(request));
  expect(await stdio.next()).toMatchObject({ id: 5, error: refusal });
  const http = await serveHttp(await servedHost([]), { port: 0 });
  onTestFinished(() => http.close());
  const headers = { 'MCP-Protocol-Version': '2030-01-01', 'Mcp-Method': 'tools/list' };
  const { status, text } = await post(http, JSON.stringify(request), headers);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ id: 5, error: refusal });
});

test('reads a message behind a byte order mark', async () => {
  const server = serve();
  server.send(`\uFEFF${JSON.stringify(initialize)}`);
  expect(await server.next()).toMatchObject({ id: 0, result: {} });
});

test('a batch is answered as one, whatever it holds', async () => {
  const ping = (id: unknown): object => ({ jsonrpc: '2.0', id, method: 'ping' });
  const answered = (id: unknown): object => ({ jsonrpc: '2.0', id, result: {} });
  const server = serve();
  server.send(JSON.stringify(initialize));
  await server.next();
  server.send(JSON.stringify([ping(1)]));
  expect(await server.next()).toEqual([answered(1)]);
  server.send(
    JSON.stringify([ping(2), 7, { jsonrpc: '2.0', method: 'notifications/initialized' }, ping('b')]),
  );
  expect(await server.next()).toEqual([
    expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) as unknown }),
    answered(2),
    answered('b'),
  ]);
  server.send('[1]');
  expect(await server.next()).toEqual([expect.objectContaining({ id: null })]);
});

test('over HTTP a batch of one is answered as a batch', async () => {
  const server = await serveHttp(await servedHost([]), { port: 0 });
  onTestFinished(() => server.close());
  const session = await openSession(server);
  const { text } = await post(server, '\uFEFF[{"jsonrpc":"2.0","id":1,"method":"ping"}]', session);
  expect(JSON.parse(text)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
});

test('continues after garbage, before and after the first message', async () => {
  const garbage = [
    'hello, is there anybody?',
    '{"jsonrpc": "2.0", "id": 1',
    '[1, 2, 3]',
    '\0\u0001\ufffd',
    '7',
  ];
  const server = serve();
  const sendGarbage = async (): Promise<void> => {
    for (const line of garbage) server.send(line);
    for (const _ of garbage) await server.next();
  };
  await sendGarbage();
  server.send(JSON.stringify(initialize));
  expect(await server.next()).toMatchObject({ id: 0 });
  await sendGarbage();
  server.send('{"jsonrpc":"2.0","id":"x","method":"no/such"}');
  expect(await server.next()).toMatchObject({ id: 'x', error: { code: -32601 } });
  server.send(callBody('echo', { message: 'still here' }, 'legacy'));
  expect(await server.next()).toMatchObject({
    id: 1,
    result: { content: [{ text: 'still here for mcp:raw' }] },
  });
});

test('ends what it began when a message is larger than 16 MiB', async () => {
  const server = serve();
  server.child.stdin.on('error', () => {});
  server.send('x'.repeat(17 * 1024 * 1024));
  expect(await server.ended()).toEqual({ code: 0, stderr: 'closed\n' });
});

test('an unknown preset stops the start, with near names', async () => {
  const host = await servedHost([], { presets: { reading: { allowed: [] } } });
  const streams = { input: new PassThrough(), output: new PassThrough() };
  await expect(serveStdio(host, { preset: 'raeding', ...streams })).rejects.toThrow('Did you mean reading?');
});

test('closing it from inside resolves `closed`', async () => {
  const server = await serveStdio(await servedHost([]), {
    input: new PassThrough(),
    output: new PassThrough(),
  });
  await server.close();
  await server.closed;
});

test.each([null, 7, {}, { action: 'perhaps' }, { action: 'accept', content: 'yes' }])(
  'an answer of %j to a question is none: nothing runs, and the call says so',
  async (result) => {
    const server = serve();
    const capabilities = { elicitation: {} };
    server.send(JSON.stringify({ ...initialize, params: { ...initialize.params, capabilities } }));
    await server.next();
    server.send(callBody('deploy', {}, 'legacy'));
    const { id, method } = await server.next();
    expect(method).toBe('elicitation/create');
    server.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    expect(await server.next()).toMatchObject({
      id: 1,
      result: {
        isError: true,
        content: [
          {
            text: expect.stringMatching(
              /was not run: its question was closed without an answer, by the MCP client/,
            ),
          },
        ],
      },
    });
  },
);
