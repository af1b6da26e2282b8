import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { eventually, openHosts, type HostUnderTest } from '../../kit/engine/hosts.ts';
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

  test('beside a host with the version of pg-boss before, order is held and no job is lost', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    const url = await postgresUrl();
    await using hosts = openHosts(url);
    const queue = { name: 'ordered', order: 'key', attempts: 4, keptDays: 1 } as const;
    const begin = async (host: HostUnderTest): Promise<void> => {
      await host.ask({ do: 'define', queues: [queue] });
      await host.ask({ do: 'table' });
      await host.ask({ do: 'work', queue: queue.name, most: 4 });
    };
    const add = async (host: HostUnderTest, n: number): Promise<void> => {
      for (const key of keys) {
        const jobs = [{ queue: queue.name, key, data: { name: key, n, does: 'sleep', ms: 5 } as const }];
        // While the tables change, what is added may fail; whoever adds it hears of it.
        await eventually(() => host.ask({ do: 'add', jobs }).then(Boolean, () => false));
      }
    };
    const before = await hosts.start(
      'before',
      join(import.meta.dirname, '../../kit/engine/pg-boss-before.ts'),
    );
    await begin(before);
    const old = await versionOfTables(url);
    let n = 0;
    for (; n < 10; n++) await add(before, n);
    const start = { isDone: false };
    const starting = hosts.start('next').finally(() => (start.isDone = true));
    while (!start.isDone) await add(before, n++);
    const next = await starting;
    await begin(next);
    expect(await versionOfTables(url)).toBeGreaterThan(old);
    for (let more = 0; more < 10; more++, n++) await add(more % 2 === 0 ? before : next, n);
    await hosts.until((seen) => seen.filter(({ event }) => event === 'ended').length >= keys.length * n);
    for (const name of keys) {
      const ended = hosts.seen
        .filter((one) => one.event === 'ended' && one.name === name)
        .map((one) => 'n' in one && one.n);
      expect(ended).toEqual(Array.from({ length: n }, (_, one) => one));
    }
    expect(new Set(hosts.seen.map(({ host }) => host))).toEqual(new Set(['before', 'next']));
  });
});

async function versionOfTables(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: number }>('select version from pegboard_jobs.version');
    return rows[0]!.version;
  } finally {
    await client.end();
  }
}
