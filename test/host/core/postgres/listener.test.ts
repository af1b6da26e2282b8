import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startListener } from '../../../../host/core/postgres/listener.ts';
import { describePostgres, postgresUrl } from '../../../kit/postgres.ts';

/** A way to the server on which everything takes some milliseconds. */
async function slowWayTo(url: string, lagMs: number): Promise<AsyncDisposable & { readonly url: string }> {
  const to = new URL(url);
  const { hostname, port } = to;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (data) => setTimeout(() => into.write(data), lagMs));
      from.on('close', () => setTimeout(() => into.destroy(), lagMs));
      from.on('error', () => {});
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  to.port = String((server.address() as AddressInfo).port);
  return {
    url: to.href,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

describePostgres('a listener', () => {
  test('ends at whatever moment it is disposed, also while it connects', async () => {
    await using slow = await slowWayTo(await postgresUrl(), 15);
    for (let ms = 0; ms < 200; ms += 10) {
      const listener = startListener({
        url: slow.url,
        channel: 'news',
        onPayload: () => {},
        onConnected: () => {},
        onError: (cause) => expect.unreachable(`after ${ms} ms: ${String(cause)}`),
      });
      await delay(ms);
      await listener[Symbol.asyncDispose]();
    }
  });

  test('hears what is notified until it is disposed', async () => {
    const url = await postgresUrl();
    const heard: string[] = [];
    const connected = Promise.withResolvers<void>();
    const own = { url, channel: 'news', onError: connected.reject };
    await using listener = startListener({
      ...own,
      onPayload: (payload) => void heard.push(payload),
      onConnected: connected.resolve,
    });
    await connected.promise;
    expect(listener.hears).toBe(true);
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`select pg_notify('news', 'tea')`);
    await client.end();
    await expect.poll(() => heard).toEqual(['tea']);
  });
});
