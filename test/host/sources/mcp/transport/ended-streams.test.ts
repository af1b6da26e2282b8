import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listen, readBody } from '../../../../../host/testing/http-server.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { answerMcp, listenAsMcp, type McpMessage } from '../../../../kit/mcp/mcp-json-server.ts';
import { caller, createMcpLab } from '../../../../kit/mcp/mcp-source.ts';

const events = { 'content-type': 'text/event-stream' };
const result = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, ...answerMcp({ method: 'tools/call', params: {} }) });

/**
 * A server whose stream begins with `first` and ends; what is resumed is answered by `onResume`, with how often that
 * was.
 */
async function callResumed(
  first: string,
  onResume: (times: number, response: ServerResponse, id: unknown, lastEventId: unknown) => void,
  end: (response: ServerResponse, text: string) => void = (response, text) => void response.end(text),
) {
  const resumed: unknown[] = [];
  let calls = 0;
  let id: unknown;
  const onGet = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    if (headers['last-event-id'] === undefined) return void response.writeHead(405).end();
    resumed.push(headers['last-event-id']);
    onResume(resumed.length, response, id, headers['last-event-id']);
  };
  await using server = await listenAsMcp((message, response) => {
    calls++;
    id = message.id;
    response.writeHead(200, events);
    end(response, first);
  }, onGet);
  await using lab = await createMcpLab();
  const source = lab.open('ends', { url: server.url });
  const said = await source.callTool('whoami', {}, caller()).then(textOf, (cause: Error) => cause.message);
  return { calls, resumed, said };
}

const incomplete = expect.stringContaining('it ended its answer before it was complete') as string;

describe('a stream that ends without the answer', () => {
  test.each([404, 405, 500])('is not resumed where that is refused (HTTP %i)', async (status) => {
    const at = await callResumed('id: 1\ndata:\n\n', (_, response) => void response.writeHead(status).end());
    expect(at).toEqual({ calls: 1, resumed: ['1'], said: incomplete });
  });

  test('is not resumed again when nothing new has come', async () => {
    const at = await callResumed(
      'id: 1\ndata:\n\n',
      (_, response) => void response.writeHead(200, events).end(': still nothing\n\n'),
    );
    expect(at).toEqual({ calls: 1, resumed: ['1'], said: incomplete });
  });

  test('is resumed as often as the server closes it with something new', async () => {
    const at = await callResumed('id: 1\nretry: 5\ndata:\n\n', (times, response, id) => {
      response.writeHead(200, events);
      response.end(times === 3 ? `id: 4\ndata: ${result(id)}\n\n` : `id: ${times + 1}\nretry: 5\ndata:\n\n`);
    });
    expect(at).toEqual({ calls: 1, resumed: ['1', '2', '3'], said: 'you' });
  });

  test('is resumed when its connection was cut', async () => {
    const at = await callResumed(
      'id: 1\ndata:\n\n',
      (_, response, id) => void response.writeHead(200, events).end(`data: ${result(id)}\n\n`),
      (response, text) => void response.write(text, () => response.socket!.destroy()),
    );
    expect(at).toEqual({ calls: 1, resumed: ['1'], said: 'you' });
  });

  test('says so when an event of it could not be read', async () => {
    const at = await callResumed('data: <html>\n\n', () => {});
    expect(at).toEqual({
      calls: 1,
      resumed: [],
      said: expect.stringContaining('is not valid JSON') as string,
    });
  });
});

test('an event that can not be read costs no other', async () => {
  await using server = await listenAsMcp(({ id }, response) => {
    response.writeHead(200, events).end(`data: ping\n\ndata: ${result(id)}\n\n`);
  });
  await using lab = await createMcpLab();
  const source = lab.open('pings', { url: server.url });
  expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
});

test.each(['initialize', 'tools/list'])(
  'a stream that ends without the answer to %s is reported at once',
  async (method) => {
    await using server = await listen((request, response) => {
      void (async () => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const message = JSON.parse(await readBody(request)) as McpMessage;
        if (message.id === undefined) return response.writeHead(202).end();
        response.writeHead(200, events);
        const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answerMcp(message) });
        return response.end(message.method === method ? ': bye\n\n' : `data: ${answer}\n\n`);
      })();
    });
    await using lab = await createMcpLab();
    const source = lab.open('ends', { url: server.url, connectTimeout: 600 });
    await expect(source.connect()).rejects.toThrow('ended its answer before it was complete');
  },
);
