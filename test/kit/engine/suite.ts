import { describe, expect, test } from 'vitest';
import type { EngineHost, QueueDefinition, QueuedJob, QueueStatus } from '../../../host/api/engine.ts';
import { eventually, openHosts, type HostsUnderTest, type HostUnderTest, type SeenEvent } from './hosts.ts';
import type { Task } from './protocol.ts';

const queues = [
  { name: 'ordered', order: 'key', attempts: 4, keptDays: 1 },
  { name: 'free', order: 'none', attempts: 3, keptDays: 1 },
  { name: 'patient', order: 'none', attempts: 2, backoff: { first: 1, longest: 4 }, keptDays: 1 },
] as const satisfies readonly QueueDefinition[];

/** Everything that the host expects of the engine, whatever stores its jobs. `urlOf`: of a new database. */
export function engineSuite(urlOf: () => Promise<string>): void {
  /** Two hosts that know the queues and the table "own". */
  const hostsOf = async (
    hosts: HostsUnderTest,
    ...names: readonly string[]
  ): Promise<readonly HostUnderTest[]> => {
    const started: HostUnderTest[] = [];
    for (const name of names) {
      const host = await hosts.start(name);
      await host.ask({ do: 'define', queues });
      await host.ask({ do: 'table' });
      started.push(host);
    }
    return started;
  };
  const open = async (...names: readonly string[]) => {
    const hosts = openHosts(await urlOf());
    const [a, b] = await hostsOf(hosts, ...names);
    return { hosts, a: a!, b: b! };
  };
  const add = (host: HostUnderTest, queue: string, tasks: readonly Task[], more: object = {}) =>
    host.ask<readonly string[]>({ do: 'add', jobs: tasks.map((data) => ({ queue, data, ...more })) });
  const stateOf = async (host: HostUnderTest, queue: string, job: string) =>
    (await host.ask<QueuedJob | undefined>({ do: 'find', queue, job }))?.state;
  const times = (seen: readonly SeenEvent[], event: string) => seen.filter((one) => one.event === event);

  describe('adding', () => {
    test('a job exists exactly when its transaction commits', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      await b.ask({ do: 'work', queue: 'free', most: 5 });
      const rolledBack = a.ask({
        do: 'add',
        jobs: [{ queue: 'free', data: { name: 'x', n: 1 } }],
        fails: true,
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      const [id] = await add(a, 'free', [{ name: 'x', n: 2 }]);
      await hosts.until((seen) => times(seen, 'ended').length > 0);
      expect(hosts.began('x')).toEqual(['b2.1']);
      const found = await a.ask<QueuedJob>({ do: 'find', queue: 'free', job: id! });
      expect(found).toMatchObject({ state: 'done', result: { n: 2 }, data: { name: 'x', n: 2 } });
    });

    test('a job begins not before its time, and a cancelled one never', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      await b.ask({ do: 'work', queue: 'free', most: 1 });
      const due = Date.now() + 1_500;
      await add(a, 'free', [{ name: 'later', n: 1 }], { at: due });
      const [gone] = await add(a, 'free', [{ name: 'gone', n: 1 }], { at: Date.now() + 800 });
      expect(await a.ask({ do: 'cancel', queue: 'free', job: gone! })).toBe(true);
      expect(await a.ask({ do: 'cancel', queue: 'free', job: gone! })).toBe(false);
      await hosts.until((seen) => times(seen, 'ended').length > 0);
      expect(Date.now()).toBeGreaterThanOrEqual(due);
      expect(hosts.began('gone')).toEqual([]);
      expect(await stateOf(a, 'free', gone!)).toBe('cancelled');
    });

    test('those of a higher priority begin first', async () => {
      const { hosts, a } = await open('a');
      await using _hosts = hosts;
      for (const [n, priority] of [
        [1, -1],
        [2, 0],
        [3, 5],
      ] as const)
        await add(a, 'free', [{ name: 'x', n }], { priority });
      await a.ask({ do: 'work', queue: 'free', most: 1 });
      await hosts.until((seen) => times(seen, 'ended').length === 3);
      expect(hosts.began('x')).toEqual(['a3.1', 'a2.1', 'a1.1']);
    });
  });

  describe('order', () => {
    test('jobs of a key run one after the other, in order, whoever runs them; keys run side by side', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      const keys = ['p', 'q', 'r', 's'];
      const task = (key: string, n: number) => ({
        queue: 'ordered',
        key,
        priority: n,
        data: { name: key, n, does: 'sleep', ms: 5 + ((n * 7) % 20) } as const,
      });
      const first = Array.from({ length: 10 }, (_, n) => keys.map((key) => task(key, n))).flat();
      await a.ask({ do: 'add', jobs: first });
      for (let n = 10; n < 15; n++) await b.ask({ do: 'add', jobs: keys.map((key) => task(key, n)) });
      for (const host of [a, b]) await host.ask({ do: 'work', queue: 'ordered', most: 2 });
      await hosts.until((seen) => times(seen, 'ended').length === 60);
      for (const key of keys) {
        const order = hosts.seen
          .filter(({ event, name }) => event === 'began' && name === key)
          .map(({ n }) => n);
        expect(order).toEqual(Array.from({ length: 15 }, (_, n) => n));
      }
      expect(new Set(hosts.seen.map(({ host }) => host))).toEqual(new Set(['a', 'b']));
    });

    test('a job that fails keeps its place, and once it is dead the next one runs', async () => {
      const { hosts, a } = await open('a');
      await using _hosts = hosts;
      await a.ask({ do: 'work', queue: 'ordered', most: 4 });
      const more = { key: 'z' };
      const [failing] = await add(
        a,
        'ordered',
        [
          { name: 'x', n: 1, does: 'fail' },
          { name: 'x', n: 2 },
        ],
        more,
      );
      await hosts.until((seen) => times(seen, 'ended').length === 1);
      expect(hosts.began('x')).toEqual(['a1.1', 'a1.2', 'a1.3', 'a1.4', 'a2.1']);
      expect(await stateOf(a, 'ordered', failing!)).toBe('dead');
      const status = await a.ask<readonly QueueStatus[]>({ do: 'queues' });
      expect(status.find(({ name }) => name === 'ordered')).toMatchObject({
        waiting: 0,
        running: 0,
        dead: 1,
      });
    });

    test('a queue with a backoff waits before the next attempt', async () => {
      const { hosts, a } = await open('a');
      await using _hosts = hosts;
      await a.ask({ do: 'work', queue: 'patient', most: 1 });
      await add(a, 'patient', [{ name: 'x', n: 1, does: 'fail' }]);
      await hosts.until((seen) => times(seen, 'began').length === 2);
      const [one, two] = times(hosts.seen, 'began');
      expect(two!.at - one!.at).toBeGreaterThan(900);
    });
  });

  // They wait for hosts to be missed, most of the time.
  describe.concurrent('claims', () => {
    test('what the end of a job writes and its end are one', async () => {
      const { hosts, a } = await open('a');
      await using _hosts = hosts;
      await a.ask({ do: 'work', queue: 'free', most: 1 });
      await add(a, 'free', [{ name: 'x', n: 1, does: 'power-cut' }]);
      await hosts.until((seen) => times(seen, 'ended').length === 1);
      expect(await a.ask({ do: 'rows', name: 'x' })).toEqual([2]);
    });

    test('a running job that is cancelled elsewhere is told, and can no longer write', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      await b.ask({ do: 'work', queue: 'free', most: 1 });
      const [id] = await add(a, 'free', [{ name: 'x', n: 1, does: 'hold' }]);
      await hosts.until((seen) => times(seen, 'began').length === 1);
      expect(await a.ask({ do: 'cancel', queue: 'free', job: id! })).toBe(true);
      await hosts.until((seen) => times(seen, 'wrote').length === 1);
      expect(times(hosts.seen, 'aborted')).toMatchObject([{ why: 'cancelled' }]);
      expect(times(hosts.seen, 'wrote')).toMatchObject([{ outcome: 'cancelled' }]);
      expect(await a.ask({ do: 'rows', name: 'late' })).toEqual([]);
      expect(await stateOf(a, 'free', id!)).toBe('cancelled');
    });

    test('a host that stops gives its jobs back at once, and they keep their place', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      await a.ask({ do: 'work', queue: 'ordered', most: 2, graceMs: 200 });
      await add(a, 'ordered', [{ name: 'x', n: 1, does: 'hang' }], { key: 'g' });
      await add(a, 'ordered', [{ name: 'x', n: 2 }], { key: 'g' });
      await hosts.until((seen) => times(seen, 'began').length === 1);
      await a.ask({ do: 'stop', name: 'ordered' });
      const late = await a.ask({ do: 'late' });
      expect(late).toEqual({ isHeld: false, write: 'taken', end: 'taken' });
      await b.ask({ do: 'work', queue: 'ordered', most: 2 });
      await hosts.until(() => hosts.began('x').length === 2);
      expect(hosts.began('x')).toEqual(['a1.1', 'b1.2']);
    });

    test("a killed host's job is taken over in its place", async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      await a.ask({ do: 'work', queue: 'ordered', most: 1 });
      await add(b, 'ordered', [{ name: 'x', n: 1, does: 'sleep', ms: 60_000 }], { key: 'g' });
      await add(b, 'ordered', [{ name: 'x', n: 2 }], { key: 'g' });
      await hosts.until((seen) => times(seen, 'began').length === 1);
      await b.ask({ do: 'work', queue: 'ordered', most: 1 });
      await a.kill();
      await hosts.until(() => hosts.began('x').length === 2);
      expect(hosts.began('x')).toEqual(['a1.1', 'b1.2']);
    });

    test('a frozen host loses its job, and writes nothing when it wakes up', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      await a.ask({ do: 'work', queue: 'ordered', most: 1 });
      const [id] = await add(b, 'ordered', [{ name: 'x', n: 1, does: 'hang' }], { key: 'g' });
      await hosts.until((seen) => times(seen, 'began').length === 1);
      a.freeze();
      await b.ask({ do: 'work', queue: 'ordered', most: 1 });
      await hosts.until(() => hosts.began('x').length === 2);
      expect(hosts.began('x')).toEqual(['a1.1', 'b1.2']);
      a.wake();
      const lost = expect.stringMatching(/^(taken|unknown)$/);
      expect(await a.ask({ do: 'late' })).toEqual({ isHeld: false, write: lost, end: lost });
      expect(await b.ask({ do: 'rows', name: 'late' })).toEqual([]);
      expect(await stateOf(b, 'ordered', id!)).toBe('running');
    });

    test('a host that freezes within a transaction holds nobody up for long', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      await a.ask({ do: 'work', queue: 'ordered', most: 1 });
      await add(b, 'ordered', [{ name: 'x', n: 1, does: 'stop-in-transaction' }], { key: 'g' });
      await hosts.until((seen) => times(seen, 'began').length === 1);
      await b.ask({ do: 'work', queue: 'ordered', most: 1 });
      // On SQLite, nobody can break the lock of a process that lives.
      if (!(await isPostgres(b))) await a.kill();
      await hosts.until(() => hosts.began('x').length === 2);
      expect(hosts.began('x')).toEqual(['a1.1', 'b1.2']);
    });

    test('a job that kills its hosts is dead after its last attempt', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      // It may die before it answers.
      const work = (host: HostUnderTest) => host.ask({ do: 'work', queue: 'free', most: 1 }).catch(() => {});
      const [id] = await add(a, 'free', [{ name: 'x', n: 1, does: 'die' }]);
      await work(b);
      for (const name of ['c', 'd']) {
        const [host] = await hostsOf(hosts, name);
        await work(host!);
      }
      await hosts.until(() => hosts.began('x').length === 3, 100_000);
      const [last] = await hostsOf(hosts, 'e');
      await last!.ask({ do: 'work', queue: 'free', most: 1 });
      await eventually(async () => (await stateOf(a, 'free', id!)) === 'dead');
      expect(hosts.began('x')).toHaveLength(3);
    });
  });

  describe('roles', () => {
    test('a role is on one host, and goes over at its stop and at its death', async () => {
      const { hosts, a, b } = await open('a', 'b');
      await using _hosts = hosts;
      await a.ask({ do: 'role', name: 'poll' });
      await hosts.until(() => hosts.began('poll').length === 1);
      await b.ask({ do: 'role', name: 'poll' });
      const [c] = await hostsOf(hosts, 'c');
      await c!.ask({ do: 'role', name: 'poll' });
      await a.ask({ do: 'stop', name: 'poll' });
      await hosts.until(() => hosts.began('poll').length === 2);
      const second = hosts.seen.findLast(({ event }) => event === 'began')!.host;
      await hosts.until((seen) => seen.some(({ event, host }) => event === 'wrote' && host === second));
      const holders = (await a.ask<readonly EngineHost[]>({ do: 'hosts' })).filter(
        ({ roles }) => roles.length > 0,
      );
      expect(holders).toMatchObject([{ roles: ['poll'], isLive: true }]);
      await (second === 'b' ? b : c!).kill();
      await hosts.until(() => hosts.began('poll').length === 3);
      const third = second === 'b' ? 'c' : 'b';
      await hosts.until((seen) => seen.at(-1)!.host === third && seen.at(-1)!.event === 'wrote');
      // Nobody wrote after another one had begun.
      const writers = hosts.seen.filter(({ event }) => event === 'wrote').map(({ host }) => host);
      const changes = writers.filter((host, index) => host !== writers[index - 1]);
      expect(changes).toEqual(['a', second, third]);
    });
  });

  test('hosts and queues are listed', async () => {
    const { hosts, a, b } = await open('a', 'b');
    await using _hosts = hosts;
    await add(a, 'free', [
      { name: 'x', n: 1 },
      { name: 'x', n: 2 },
    ]);
    await add(a, 'free', [{ name: 'x', n: 3 }], { at: Date.now() + 60_000 });
    const listed = await b.ask<readonly EngineHost[]>({ do: 'hosts' });
    expect(listed).toHaveLength(2);
    expect(listed.filter(({ isThisOne }) => isThisOne)).toHaveLength(1);
    const status = await b.ask<readonly QueueStatus[]>({ do: 'queues' });
    expect(status.find(({ name }) => name === 'free')).toMatchObject({ waiting: 3, later: 1, running: 0 });
    await a.ask({ do: 'close' });
    await eventually(async () => (await b.ask<readonly EngineHost[]>({ do: 'hosts' })).length === 1);
  });
}

const isPostgres = async (host: HostUnderTest): Promise<boolean> =>
  host.process.spawnargs.at(-1)!.startsWith('postgres:');
