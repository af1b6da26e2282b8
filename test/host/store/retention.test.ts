import { existsSync } from 'node:fs';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Claim, Engine, JobHandler } from '../../../host/api/engine.ts';
import { silentLogger } from '../../../host/core/log.ts';
import { createConversations } from '../../../host/store/conversations/conversations.ts';
import { databaseFileOf } from '../../../host/store/database/file.ts';
import type { Database } from '../../../host/store/database/database.ts';
import { keepTidy, sweepIfDue, defaultRetention } from '../../../host/store/retention/keep-tidy.ts';
import { sweepRows } from '../../../host/store/retention/old-rows.ts';
import { createVectors } from '../../../host/store/vectors.ts';
import { pegboardJson } from '../../kit/cli.ts';
import { createHome, createUnusedHome, type TestHome } from '../../kit/homes/home.ts';
import { databaseOf } from '../../kit/database.ts';

const day = 86_400_000;
const now = Date.parse('2026-05-20T12:00:00Z');
const ago = (days: number): string => new Date(now - days * day).toISOString();
const changes = { forget: async () => 0 };
const never = new AbortController().signal;

/** A message with its answer and one call, `days` days ago. */
async function talk(database: Database, days: number, result: string): Promise<void> {
  const conversations = createConversations(database);
  const { id } = await conversations.getOrCreate({ source: 'cli', externalId: 'cli' });
  await using turn = await conversations.openTurn(id, { text: `said ${days} days ago`, agent: 'a' });
  const call = { id: 'c', tool: 'a.b', args: { text: result }, result, ok: true, ms: 3 };
  await turn.recordCall({ call, round: 1 });
  await turn.finish(`answered ${days} days ago`);
  const open = await database.open();
  await sql`update messages set created_at = ${ago(days)} where id > (select max(id) - 2 from messages)`.execute(
    open,
  );
}

const sweepNow = (home: TestHome, database: Database, at = now): Promise<void> =>
  sweepIfDue(
    {
      home: home.path,
      database,
      changes,
      retention: () => defaultRetention,
      log: silentLogger,
      now: () => at,
    },
    never,
  );

test('long results and arguments of old calls go; what was said, and who called what, stays', async () => {
  await using home = await createHome();
  await using database = databaseOf(home);
  for (const days of [200, 91, 89, 0]) await talk(database, days, 'x'.repeat(5_000));
  await talk(database, 0, 'short');
  await sweepNow(home, database);
  const open = await database.open();
  const calls = await open.selectFrom('tool_calls').selectAll().orderBy('id').execute();
  expect(calls.map(({ tool, result, args }) => [tool, result.length, args.length])).toEqual([
    ['a.b', 524, 2],
    ['a.b', 524, 2],
    ['a.b', 5_000, 5_011],
    ['a.b', 5_000, 5_011],
    ['a.b', 5, 16],
  ]);
  expect(calls[0]!.result).toMatch(/^x{500}\n\[The rest was deleted\.\]$/);
  const messages = await open.selectFrom('messages').select('text').orderBy('id').execute();
  expect(messages.map(({ text }) => text).slice(0, 2)).toEqual([
    'said 200 days ago',
    'answered 200 days ago',
  ]);
  expect(messages).toHaveLength(10);
});

test('usage goes after 400 days, jobs after a week, and of the vectors the oldest', async () => {
  await using home = await createHome();
  await using database = databaseOf(home);
  const open = await database.open();
  const usage = { agent: 'a', model: 'm', source: 'cli', conversation_id: null, cached: 0, cost: 1 };
  for (const days of [1_000, 401, 399, 0])
    await open
      .insertInto('usage')
      .values({ ...usage, day: ago(days).slice(0, 10), at: ago(days), input: days, output: 0 })
      .execute();
  const job = { tool: 'a.b', args: '{}', starter: 'cli', conversation_id: null, owner: '', result: null };
  for (const days of [8, 6])
    await open
      .insertInto('jobs')
      .values({
        ...job,
        state: 'done',
        started_at: ago(days),
        ended_at: ago(days),
        channel: null,
        chat: null,
        announcement: null,
      })
      .execute();
  const vectors = createVectors(database);
  for (let at = 0; at < 700; at++)
    await vectors.putMany('m', new Map([[`hash ${String(at).padStart(3, '0')}`, new Float32Array([at])]]));
  await sweepRows(open, { ...defaultRetention, now, maxVectors: 250, signal: never });
  expect((await open.selectFrom('usage').select('input').execute()).map(({ input }) => input)).toEqual([
    399, 0,
  ]);
  expect(await open.selectFrom('jobs').select('ended_at').execute()).toEqual([{ ended_at: ago(6) }]);
  const left = await open.selectFrom('embeddings').select('hash').orderBy('hash').execute();
  expect([left.length, left[0]!.hash]).toEqual([250, 'hash 450']);
});

test('old files that nobody needs go; backups of the owner, and young files, stay', async () => {
  await using home = await createUnusedHome();
  const files: { readonly [file: string]: number } = {
    'artifacts/aaaa.txt': 8,
    'artifacts/bbbb.txt': 6,
    'logs/archive/host-2025.log': 91,
    'logs/archive/host-2026.log': 89,
    'backups/mine/pegboard.yaml': 1_000,
    'backups/pegboard-version-1.db': 91,
    'backups/pegboard-version-2.db': 3,
    'backups/daily-2026-05-20.db.unfinished': 2,
    'backups/damaged-x/pegboard.db': 1_000,
    'mcp/pins/server.json': 1_000,
    'state.json': 1_000,
  };
  for (const [file, days] of Object.entries(files)) {
    const path = await home.write(`data/${file}`, 'something');
    await utimes(path, (now - days * day) / 1000, (now - days * day) / 1000);
  }
  await using database = databaseOf(home);
  await sweepNow(home, database);
  const gone = Object.keys(files).filter((file) => !existsSync(join(home.path, 'data', file)));
  expect(gone).toEqual([
    'artifacts/aaaa.txt',
    'logs/archive/host-2025.log',
    'backups/pegboard-version-1.db',
    'backups/daily-2026-05-20.db.unfinished',
  ]);
  expect(existsSync(databaseFileOf(home.path))).toBe(false);
});

test('a home is swept once a day, whichever of its hosts gets to it', async () => {
  await using home = await createHome();
  const left = async (at: number): Promise<readonly string[]> => {
    await using database = databaseOf(home);
    await sweepNow(home, database, at);
    return await readdir(join(home.path, 'data/artifacts'));
  };
  const old = async (name: string): Promise<void> => {
    const path = await home.write(`data/artifacts/${name}.txt`, 'x');
    await utimes(path, 1, 1);
  };
  await old('first');
  expect(await left(now)).toEqual([]);
  await old('second');
  expect(await left(now + day / 2)).toEqual(['second.txt']);
  expect(await left(now + day)).toEqual([]);
});

test('a host that stays looks by itself, and what it is at ends with it', async () => {
  await using home = await createHome();
  await using database = databaseOf(home);
  const path = await home.write('data/artifacts/old.txt', 'x');
  await utimes(path, 1, 1);
  const options = {
    home: home.path,
    database,
    changes,
    retention: () => defaultRetention,
    log: silentLogger,
  };
  await using _tidying = keepTidy({ ...options, delayMs: 0 });
  await expect.poll(() => existsSync(path)).toBe(false);
});

test('what many hosts share is removed by the one that has the role', async () => {
  await using home = await createHome();
  await using database = databaseOf(home);
  await talk(database, 200, 'x'.repeat(5_000));
  const options = {
    home: home.path,
    database,
    changes,
    retention: () => defaultRetention,
    log: silentLogger,
  };
  const lengths = async (): Promise<readonly number[]> =>
    (await (await database.open()).selectFrom('tool_calls').select('result').execute()).map(
      ({ result }) => result.length,
    );
  const given: JobHandler[] = [];
  const role: Engine['role'] = (name, run) => {
    expect(name).toBe('core.tidying');
    given.push(run);
    return { [Symbol.asyncDispose]: () => Promise.resolve() };
  };
  await using _tidying = keepTidy({ ...options, delayMs: 0, now: () => now, engine: { role } });
  await expect.poll(() => existsSync(join(home.path, 'data/.swept'))).toBe(true);
  expect(await lengths()).toEqual([5_000]);
  const ending = new AbortController();
  const ended = given[0]!({ signal: ending.signal } as Claim).catch((cause: Error) => cause.name);
  await expect.poll(lengths).toEqual([524]);
  ending.abort();
  expect(await ended).toBe('AbortError');
});

test('a large database is swept without holding anybody up', async () => {
  await using home = await createHome();
  await using database = databaseOf(home);
  await talk(database, 300, 'first');
  const open = await database.open();
  const result = 'y'.repeat(4_000);
  await sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
    insert into tool_calls (message_id, call_id, tool, args, result, ok, ms)
    select 2, 'c', 'a.b', '{}', ${result}, 1, 1 from n`.execute(open);
  let turns = 0;
  let turn: NodeJS.Immediate;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  count();
  const swept = await sweepRows(open, { ...defaultRetention, now, signal: never });
  clearImmediate(turn!);
  expect(swept).toBe(5_000);
  // At most 200 rows at a time, and other work gets its turn in between.
  expect(turns).toBeGreaterThanOrEqual(5_000 / 200);
});

test('status says how much disk the data of a home takes, and of what', async () => {
  await using home = await createHome();
  await home.write('data/artifacts/aaaa.txt', 'x'.repeat(3_000));
  await home.write('data/backups/mine/file', 'x'.repeat(2_000));
  const { data } = await pegboardJson<{ readonly data: { readonly [part: string]: number } }>(['status'], {
    home: home.path,
  });
  expect(data).toMatchObject({ artifacts: 3_000, backups: 2_000 });
  expect(data['total']).toBeGreaterThanOrEqual(5_000);
});
