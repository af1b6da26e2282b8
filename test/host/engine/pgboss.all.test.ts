import { once } from 'node:events';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openHosts } from '../../kit/engine/hosts.ts';
import { engineSuite } from '../../kit/engine/suite.ts';
import { describePostgres, postgresUrl } from '../../kit/postgres.ts';

describePostgres('the engine on Postgres', () => {
  engineSuite(postgresUrl);

  test('all hosts get news of the jobs that a dead host has left, and need not look for them', async () => {
    const url = await postgresUrl();
    await using hosts = openHosts(url);
    const [a, b] = [await hosts.start('a'), await hosts.start('b')];
    for (const host of [a, b])
      await host.ask({ do: 'define', queues: [{ name: 'free', order: 'none', attempts: 3, keptDays: 1 }] });
    await a.ask({ do: 'work', queue: 'free', most: 1 });
    await b.ask({ do: 'add', jobs: [{ queue: 'free', data: { name: 'x', n: 1, does: 'hang' } }] });
    await hosts.until(() => hosts.began('x').length === 1);
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('listen pegboard_jobs');
      const heard = once(client, 'notification');
      await a.kill();
      const [{ payload }] = (await heard) as [{ payload: string }];
      expect(payload).toBe('unknown');
    } finally {
      await client.end();
    }
  });

  test('hosts that start at once on a new database create its tables once', async () => {
    await using hosts = openHosts(await postgresUrl());
    const started = await Promise.all(['a', 'b', 'c', 'd'].map((name) => hosts.start(name)));
    for (const host of started) expect(await host.ask({ do: 'errors' })).toEqual([]);
  });
});
