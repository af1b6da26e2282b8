import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { textOf } from '../../../../../host/tools/result.ts';
import { answerMcp, listenAsMcp } from '../../../../kit/mcp/mcp-json-server.ts';
import { caller, createMcpLab } from '../../../../kit/mcp/mcp-source.ts';

const result = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, ...answerMcp({ method: 'tools/call', params: {} }) });

test('an answer may be a stream: in pieces, with comments, CRLF and several lines of data', async () => {
  await using server = await listenAsMcp(({ id, params }, response) => {
    const { _meta: meta } = params;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const progress = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: meta.progressToken, progress: 1, message: 'grüße' },
    };
    response.write(`: hello\r\n\r\nevent: message\r\ndata: ${JSON.stringify(progress)}\r\n\r\n`);
    const [head, tail] = [result(id).slice(0, 30), result(id).slice(30)];
    response.write(`data:${head.slice(0, 10)}`);
    // Within a JSON value a line may end between its parts.
    setImmediate(() => response.end(`${head.slice(10)}${tail.replace(':', ':\ndata: ')}\n\n`));
  });
  await using lab = await createMcpLab();
  const source = lab.open('pieces', { url: server.url });
  const someone = caller();
  expect(textOf(await source.callTool('whoami', {}, someone))).toBe('you');
  expect(someone.steps).toEqual([{ progress: 1, message: 'grüße' }]);
});

test('a stream that breaks off is resumed where it was, and the call is not made twice', async () => {
  let calls = 0;
  let pending: unknown;
  await using server = await listenAsMcp(
    ({ id }, response) => {
      calls++;
      pending = id;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('id: event-7\ndata:\n\n');
    },
    (request, response) => {
      if (request.headers['last-event-id'] !== 'event-7') return void response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(`data: ${result(pending)}\n\n`);
    },
  );
  await using lab = await createMcpLab();
  const source = lab.open('resumed', { url: server.url });
  expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
  expect(calls).toBe(1);
});

test('a stream that ends without the answer fails its call, and it is not made again', async () => {
  let calls = 0;
  await using server = await listenAsMcp((_, response) => {
    calls++;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(': bye\n\n');
  });
  await using lab = await createMcpLab();
  const source = lab.open('short', { url: server.url });
  await expect(source.callTool('whoami', {}, caller())).rejects.toThrow(
    'it ended its answer before it was complete',
  );
  expect(calls).toBe(1);
});

test('an answer that is cut off, no JSON, or a refusal fails its call with the reason', async () => {
  const answers = [
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"jsonrpc"');
      response.socket!.end();
    },
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('<html>');
    },
    (response: ServerResponse, id: unknown) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no such argument' } }),
      );
    },
    (response: ServerResponse) => void response.writeHead(503).end('come back later'),
  ];
  await using server = await listenAsMcp(({ id }, response) => answers.shift()!(response, id));
  await using lab = await createMcpLab();
  const source = lab.open('odd', { url: server.url });
  const failure = () => source.callTool('whoami', {}, caller()).catch((cause: Error) => cause.message);
  expect(await failure()).toContain('was lost while whoami ran: its answer was cut off');
  expect(await failure()).toContain('its answer is not valid JSON');
  expect(await failure()).toBe('MCP server "odd" refused tools/call: no such argument');
  expect(await failure()).toBe('MCP server "odd" answered with HTTP 503: come back later');
});

test('a redirect within the same address is followed', async () => {
  await using server = await listenAsMcp(({ id }, response, request) => {
    if (request.url === '/mcp') response.writeHead(307, { location: '/moved' }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(result(id));
  });
  await using lab = await createMcpLab();
  const source = lab.open('moved', { url: `${server.url}/mcp` });
  expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
});

test('a cancelled call closes its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const controller = new AbortController();
  await using server = await listenAsMcp((_, response) => {
    response.on('close', () => closed.resolve());
    controller.abort(new Error('enough'));
  });
  await using lab = await createMcpLab();
  const source = lab.open('waits', { url: server.url });
  await source.connect();
  const call = source.callTool('whoami', {}, caller({ signal: controller.signal }));
  await expect(call).rejects.toThrow('enough');
  await closed.promise;
});
