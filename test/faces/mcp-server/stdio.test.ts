import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../host/api/result.ts';
import { serveStdio } from '../../../host/faces/mcp-server/stdio.ts';
import { callBody } from '../../kit/mcp-wire.ts';
import { servedHost } from '../../kit/served-host.ts';

interface Served {
  readonly child: ChildProcessWithoutNullStreams;
  send(text: string): void;
  /** The next message on stdout. */
  next(): Promise<JsonObject>;
  /** Everything on stderr, and the exit code, when it has ended. */
  ended(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

function serve(): Served {
  const script = join(import.meta.dirname, '../../fixtures/mcp-server/stdio.ts');
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

test('goes on after garbage, before and after the first message', async () => {
  const garbage = [
    'hello, is there anybody?',
    '{"jsonrpc": "2.0", "id": 1',
    '[1, 2, 3]',
    '\0\u0001\ufffd',
    '7',
  ];
  const server = serve();
  for (const line of garbage) server.send(line);
  server.send(JSON.stringify(initialize));
  expect(await server.next()).toMatchObject({ id: 0 });
  for (const line of garbage) server.send(line);
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
        content: [{ text: expect.stringMatching(/was not run: the question was not answered/) }],
      },
    });
  },
);
