import { expect, test } from 'vitest';
import type { Clock } from '../../../../host/api/surroundings.ts';
import { listen, readBody } from '../../../../host/testing/http-server.ts';
import { startPegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { answerMcp, type McpMessage } from '../../../kit/mcp/mcp-json-server.ts';
import { connectRaw, type RawClient } from '../../../kit/mcp/verbatim.ts';
import { createMovedClock } from '../../../kit/moved-clock.ts';

/** A server that lists its tools only once it may. */
async function listenSlowly() {
  const mayList = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = await listen((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = JSON.parse(await readBody(request)) as McpMessage;
      if (message.id === undefined) return response.writeHead(202).end();
      if (message.method === 'tools/list') {
        asked.resolve();
        await mayList.promise;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answerMcp(message) }));
    })();
  });
  return Object.assign(server, { asked: asked.promise, list: mayList.resolve });
}

async function serve(url: string, clock?: Clock, more: object = {}) {
  const home = await createHome({
    'pegboard.yaml': JSON.stringify({
      mcpServers: { up: { url }, down: { url: 'http://127.0.0.1:6000' } },
      ...more,
    }),
  });
  const { child } = startPegboard(['serve', '--mode', 'direct'], {
    home: home.path,
    ...(clock && { clock }),
  });
  const client = await connectRaw(child);
  return {
    ...client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const lists = async (client: RawClient): Promise<boolean> =>
  (await client.request('tools/list')).result.tools.some(
    ({ name }: { name: string }) => name === 'up__whoami',
  );

test('the first list waits for a server that was never connected', async () => {
  await using server = await listenSlowly();
  await using client = await serve(server.url);
  await server.asked;
  let isAnswered = false;
  const listed = lists(client).finally(() => (isAnswered = true));
  await client.request('ping');
  expect(isAnswered).toBe(false);
  server.list();
  expect(await listed).toBe(true);
});

test('it waits for three seconds in all, and later lists not at all', async () => {
  const clock = createMovedClock({ start: Date.now() });
  await using server = await listenSlowly();
  await using client = await serve(server.url, clock);
  const first = lists(client);
  await clock.sleeper(3_000);
  const second = lists(client);
  clock.pass(3_000);
  expect([await first, await second, await lists(client)]).toEqual([false, false, false]);
  server.list();
  await client.notified('notifications/tools/list_changed');
  expect(await lists(client)).toBe(true);
});

test('the time is set by serve.firstListTimeout', async () => {
  await using server = await listenSlowly();
  await using client = await serve(server.url, undefined, { serve: { firstListTimeout: 0 } });
  expect(await lists(client)).toBe(false);
  server.list();
});
