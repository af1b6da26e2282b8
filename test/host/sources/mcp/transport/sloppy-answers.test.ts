import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { createRefresh } from '../../../../../host/sources/mcp/catalog/refresh.ts';
import { listen, readBody } from '../../../../../host/testing/http-server.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { answerMcp, listenAsMcp, type McpMessage } from '../../../../kit/mcp/mcp-json-server.ts';
import { caller, createMcpLab, fixture } from '../../../../kit/mcp/mcp-source.ts';

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const result = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, ...answerMcp({ method: 'tools/call', params: {} }) });

const answers: Record<string, (response: ServerResponse, id: unknown) => void> = {
  'events whose lines end with CR alone': (response, id) =>
    response.writeHead(200, events).end(`data: ${result(id)}\r\r`),
  'events behind a byte order mark': (response, id) =>
    response.writeHead(200, events).end(`\uFEFFdata: ${result(id)}\n\n`),
  'an event without an empty line behind it': (response, id) =>
    response.writeHead(200, events).end(`data: ${result(id)}`),
  'a media type in capitals': (response, id) =>
    response.writeHead(200, { 'content-type': 'Text/Event-Stream' }).end(`data: ${result(id)}\n\n`),
  'JSON behind a byte order mark': (response, id) => response.writeHead(200, json).end(`\uFEFF${result(id)}`),
  'an id that is written as text': (response, id) => response.writeHead(200, json).end(result(String(id))),
};

test.each(Object.keys(answers))('an answer over HTTP may have %s', async (what) => {
  await using server = await listenAsMcp(({ id }, response) => answers[what]!(response, id));
  await using lab = await createMcpLab();
  const source = lab.open('sloppy', { url: server.url });
  expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
});

test('a CR and its LF may come in two pieces', async () => {
  await using server = await listenAsMcp(({ id }, response) => {
    response.writeHead(200, events);
    response.write(`data: ${result(id)}\r`);
    setImmediate(() => response.end('\n\r\n'));
  });
  await using lab = await createMcpLab();
  const source = lab.open('sloppy', { url: server.url });
  expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
});

test.each([
  [null, '.'],
  [
    { protocolVersion: '2025-11-25', serverInfo: { name: 'x', version: '1' } },
    ' ("capabilities" must be of type object, but is missing)',
  ],
])('a handshake that is answered with %j is refused in plain words', async (answer, why) => {
  await using server = await listen((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(await readBody(request)) as McpMessage;
      const error = { code: -32601, message: 'no such method' };
      const said = method === 'initialize' ? { result: answer } : { error };
      return response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    })();
  });
  await using lab = await createMcpLab();
  await expect(lab.open('odd', { url: server.url }).connect()).rejects.toThrow(
    `its answer to the handshake is not valid in MCP${why}`,
  );
});

test('no compression is asked for, which could not be read', async () => {
  const asked: unknown[] = [];
  await using server = await listenAsMcp(({ id }, response, { headers }) => {
    asked.push(headers['accept-encoding']);
    response.writeHead(200, json).end(result(id));
  });
  await using lab = await createMcpLab();
  await lab.open('plain', { url: server.url }).callTool('whoami', {}, caller());
  expect(asked).toEqual(['identity']);
});

test('a stream that stays open after the answer is closed', async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await listenAsMcp(({ id }, response) => {
    response.writeHead(200, events).write(`data: ${result(id)}\n\n`);
    response.on('close', () => closed.resolve());
  });
  await using lab = await createMcpLab();
  const source = lab.open('open', { url: server.url });
  expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
  await closed.promise;
});

describe('a program', () => {
  test.each(['string-id', 'no-line-end', 'byte-order-mark'])('may answer with %s', async (how) => {
    await using lab = await createMcpLab();
    const source = lab.open('sloppy', fixture('answers-oddly', how));
    expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
  });

  test('that closes its standard output is ended, and its calls fail at once', async () => {
    await using lab = await createMcpLab();
    const source = lab.open('mute', fixture('answers-oddly', 'closes-output'));
    await expect(source.callTool('whoami', {}, caller())).rejects.toThrow('it closed its standard output');
  });
});

test('instructions without end are left out, and named', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('wordy', fixture('answers-oddly', 'long-instructions'));
  expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
  expect(source.instructions).toBeUndefined();
  expect((await source.list()).diagnostics).toMatchObject([{ code: 'mcp-long-instructions' }]);
});

test('a list that changes whenever it is asked for is asked for ever more rarely', async () => {
  vi.useFakeTimers();
  try {
    let times = 0;
    using refresh = createRefresh(50, async () => {
      times++;
      refresh.request();
    });
    refresh.request();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(times).toBeLessThan(15);
  } finally {
    vi.useRealTimers();
  }
});
