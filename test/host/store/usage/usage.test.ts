import { setTimeout as delay } from 'node:timers/promises';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelUsage } from '../../../../host/api/model.ts';
import { createDatabase } from '../../../../host/store/database/database.ts';
import type { SpendingRequest } from '../../../../host/store/usage/spending.ts';
import type { UsageEntry } from '../../../../host/store/usage/usage-entry.ts';
import { createUsage } from '../../../../host/store/usage/usage.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { databaseOf } from '../../../kit/database.ts';

const signal = new AbortController().signal;
const call = (usage: Partial<ModelUsage>, entry: Partial<UsageEntry> = {}): UsageEntry => ({
  agent: 'example',
  model: 'test',
  source: 'cli',
  ...entry,
  usage: { input: 10, output: 2, ...usage },
});
const request = (parts: Partial<SpendingRequest> = {}): SpendingRequest => ({
  agent: 'example',
  model: 'test',
  caps: { agent: 1 },
  signal,
  ...parts,
});

async function createStore(timeZone?: string) {
  const home = await createHome();
  const database = databaseOf(home);
  return {
    home: home.path,
    database,
    usage: createUsage(database, timeZone === undefined ? {} : { timeZone }),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

test('usage is summed by model, agent and day, with what is not priced counted apart', async () => {
  await using store = await createStore();
  const { usage } = store;
  expect(await usage.summarize('model')).toEqual([]);
  await usage.record(call({ input: 100, output: 20, cached: 60, cost: 0.5 }));
  await usage.record(call({ input: 50, output: 5, cost: 0.25 }, { agent: 'other', source: 'telegram' }));
  await usage.record(call({ input: 7, output: 1 }, { model: 'local' }));

  expect(await usage.summarize('model')).toEqual([
    { name: 'test', calls: 2, input: 150, cached: 60, output: 25, cost: 0.75, unpriced: 0 },
    { name: 'local', calls: 1, input: 7, cached: 0, output: 1, cost: 0, unpriced: 1 },
  ]);
  expect((await usage.summarize('agent')).map(({ name, calls }) => [name, calls])).toEqual([
    ['example', 2],
    ['other', 1],
  ]);
  expect(await usage.summarize('day')).toMatchObject([{ name: usage.today(), calls: 3, unpriced: 1 }]);
  expect(await usage.summarize('model', { source: 'telegram' })).toMatchObject([
    { name: 'test', calls: 1, cost: 0.25 },
  ]);
  expect(await usage.summarize('model', { agent: 'example' })).toMatchObject([
    { cost: 0.5 },
    { name: 'local' },
  ]);
  expect(await usage.summarize('day', { to: '2000-01-01' })).toEqual([]);
  expect(await usage.summarize('day', { from: usage.today(), to: usage.today() })).toHaveLength(1);
});

test('the day is that of the time zone', async () => {
  const days = ['Pacific/Kiritimati', 'Etc/GMT+12'].map((zone) =>
    createUsage(createDatabase(''), { timeZone: zone }).today(),
  );
  // 26 hours apart: never the same day.
  expect(days[0]! > days[1]!).toBe(true);
  expect(() => createUsage(createDatabase(''), { timeZone: 'Middle/Earth' })).toThrow(
    /"Middle\/Earth" is not a time zone/,
  );
});

test('a call is admitted until the cap is reached, and then refused with what was spent', async () => {
  await using store = await createStore();
  const { usage } = store;
  for (const cost of [0.4, 0.5, 0.3]) {
    await using reservation = await usage.reserve(request({ estimate: 0.3 }));
    await reservation.settle(call({ cost }));
  }
  await expect(usage.reserve(request())).rejects.toMatchObject({
    code: 'PEG_LIMIT',
    message: expect.stringMatching(
      /The agent example has spent \$1\.20 today, and its cap is \$1\.00/,
    ) as string,
  });
  await using _other = await usage.reserve(request({ agent: 'other' }));
  await expect(usage.reserve(request({ agent: 'third', caps: { home: 1.2 } }))).rejects.toMatchObject({
    code: 'PEG_LIMIT',
    message: expect.stringMatching(/This home has spent \$1\.20/) as string,
  });
});

test.for([
  ['with a good estimate', 0.1],
  ['with an estimate that is too high', 3],
  ['with none', undefined],
] as const)('fifty turns at once overspend by at most one call, %s', async ([, estimate]) => {
  await using store = await createStore();
  const { usage } = store;
  const price = 0.1;
  let running = 0;
  let most = 0;
  const turn = async (): Promise<'answered' | 'refused'> => {
    try {
      await using reservation = await usage.reserve(request(estimate === undefined ? {} : { estimate }));
      most = Math.max(most, ++running);
      // As long as it takes the next one to begin, also on a server.
      await delay(20);
      running--;
      await reservation.settle(call({ cost: price }));
      return 'answered';
    } catch (cause) {
      expect(cause).toMatchObject({ code: 'PEG_LIMIT' });
      return 'refused';
    }
  };
  const ends = await Promise.all(Array.from({ length: 50 }, turn));
  const spent = ends.filter((end) => end === 'answered').length * price;
  expect(spent).toBeGreaterThanOrEqual(1 - price / 2);
  expect(spent).toBeLessThanOrEqual(1 + price + 1e-9);
  if (estimate === 0.1) expect(most).toBeGreaterThan(1);
});

test('a call that was not made puts its money back', async () => {
  await using store = await createStore();
  const { usage } = store;
  {
    await using _unused = await usage.reserve(request({ estimate: 1 }));
    const waiting = usage.reserve(request({ signal: AbortSignal.timeout(20) }));
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  }
  await using _next = await usage.reserve(request({ estimate: 1 }));
});

test('without a cap nothing is reserved, and the call is still recorded', async () => {
  await using store = await createStore();
  const { usage, database } = store;
  await using reservation = await usage.reserve(request({ caps: {} }));
  const open = await database.open();
  expect(await open.selectFrom('reservations').selectAll().execute()).toEqual([]);
  await reservation.settle(call({ cost: 5 }));
  expect(await usage.summarize('day')).toMatchObject([{ cost: 5 }]);
});

test('a model with an unknown price is not blocked by a cap', async () => {
  await using store = await createStore();
  const { usage } = store;
  await usage.record(call({}));
  const reservations = await Promise.all([1, 2, 3].map(() => usage.reserve(request())));
  expect(reservations).toHaveLength(3);
});

test('two processes that spend at once keep the cap together', async () => {
  await using store = await createStore();
  const script = join(import.meta.dirname, '../fixtures/spend.ts');
  const children = [1, 2].map(() => fork(script, [store.home, '40']));
  const told = await Promise.all(
    children.map(
      async (child) => ((await once(child, 'message')) as [{ calls: number; reasons: string[] }])[0],
    ),
  );
  expect(told.flatMap(({ reasons }) => reasons)).toEqual(Array(20).fill('PEG_LIMIT'));
  const calls = told[0]!.calls + told[1]!.calls;
  expect([40, 41]).toContain(calls);
  expect(await store.usage.summarize('agent')).toMatchObject([{ calls, cost: calls }]);
});

test('what a dead process had put aside is put back', async () => {
  await using store = await createStore();
  const child = fork(join(import.meta.dirname, '../fixtures/reserve-and-hang.ts'), [store.home]);
  await once(child, 'message');
  const waiting = store.usage.reserve(request({ signal: AbortSignal.timeout(50) }));
  await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using _reservation = await store.usage.reserve(request());
});
