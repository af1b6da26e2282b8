import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { newestOf, postgresMigrations } from '../../../../../host/store/database/tables/migrations.ts';
import { createPostgresDatabase } from '../../../../../host/store/database/postgres/database.ts';
import { describePostgres, postgresUrl, startPostgres } from '../../../../kit/postgres.ts';

const secret = 'hunter2-hunter2';

describePostgres('state on Postgres', () => {
  test('what is written is read again as SQLite would return it', async () => {
    await using database = createPostgresDatabase(await postgresUrl());
    const open = await database.open();
    await open
      .insertInto('embeddings')
      .values({ model: 'm', hash: 'h', vector: new Uint8Array(new Float32Array([1.5, -2]).buffer) })
      .execute();
    const { vector } = await open.selectFrom('embeddings').select('vector').executeTakeFirstOrThrow();
    expect([...new Float32Array(vector.slice().buffer)]).toEqual([1.5, -2]);
    const { rows } = await sql`
      select 9007199254740991::bigint as big, 2 > 1 as yes, sum(x) as sum, avg(x) as mean
      from (values (1::bigint), (2)) numbers (x)`.execute(open);
    expect(rows).toEqual([{ big: 9_007_199_254_740_991, yes: 1, sum: 3, mean: 1.5 }]);
    await expect(sql`select 9007199254740993::bigint`.execute(open)).rejects.toThrow(/9007199254740993/);
    expect(await open.selectFrom('usage').select('id').where('id', 'in', []).execute()).toEqual([]);
  });

  test('secrets are redacted from every text, and a character 0 does not stop it', async () => {
    await using database = createPostgresDatabase(await postgresUrl(), {
      redact: (text) => text.replaceAll(secret, '[secret]'),
    });
    const open = await database.open();
    const day = { day: '2026-01-01', at: 'now', agent: `it is ${secret}\0.`, model: 'm', source: 's' };
    await open
      .insertInto('usage')
      .values({ ...day, conversation_id: null, input: 1, output: 1, cached: 0, cost: null })
      .execute();
    expect(await open.selectFrom('usage').select('agent').execute()).toEqual([
      { agent: 'it is [secret]\uFFFD.' },
    ]);
  });

  test('several hosts that start at once make the tables once', async () => {
    const url = await postgresUrl();
    const hosts = Array.from({ length: 5 }, () => createPostgresDatabase(url));
    try {
      await Promise.all(hosts.map(async (host) => await host.open()));
      const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(
        await hosts[0]!.open(),
      );
      expect(rows).toEqual([{ version: newestOf(postgresMigrations) }]);
    } finally {
      for (const host of hosts) await host[Symbol.asyncDispose]();
    }
  });

  test('a migration that fails changes nothing, and a newer database is refused in words', async () => {
    const url = await postgresUrl();
    const two = ['create table one (id int)', 'create table two (id int); insert into two values (1 / 0)'];
    await using broken = createPostgresDatabase(url, { migrations: { first: 3, scripts: two } });
    await expect(broken.open()).rejects.toMatchObject({
      code: 'PEG_DATABASE',
      message: expect.stringMatching(
        /could not be migrated from version 0 to 4: division by zero. Nothing was changed\.$/,
      ),
    });
    const good = { first: 3, scripts: [two[0]!, 'create table two (id int)'] };
    await using database = createPostgresDatabase(url, { migrations: good });
    await sql`select * from one, two`.execute(await database.open());
    await using older = createPostgresDatabase(url, { migrations: { first: 3, scripts: [two[0]!] } });
    await expect(older.open()).rejects.toThrow(
      /was written by a newer Pegboard: its version is 4, and this one knows 3\. Update Pegboard/,
    );
    const third = [...good.scripts, 'alter table one add column more text'];
    await using next = createPostgresDatabase(url, { migrations: { first: 3, scripts: third } });
    expect((await sql`select more from one`.execute(await next.open())).rows).toEqual([]);
  });

  test.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong-word'), /password is wrong/],
    ['no such database', (url: URL) => (url.pathname = '/nowhere'), /no database of that name: create it/],
    ['nobody there', (url: URL) => (url.port = '1'), /no server answers there: start it/],
    ['no such machine', (url: URL) => (url.hostname = 'nowhere.invalid'), /machine/],
  ])('%s is explained without the password', async (_, change, expected) => {
    const url = new URL(await postgresUrl());
    change(url);
    await using database = createPostgresDatabase(url.href);
    const failed: unknown = await database.open().catch((cause: unknown) => cause);
    expect(failed).toMatchObject({ code: 'PEG_DATABASE', message: expect.stringMatching(expected) });
    expect((failed as Error).message).not.toContain(url.password);
  });

  test('a missing permission and a read-only server are explained', async () => {
    const url = new URL(await postgresUrl());
    await execute(url.href, `create role guest login password 'guest'`);
    const guest = new URL(url);
    Object.assign(guest, { username: 'guest', password: 'guest' });
    await using denied = createPostgresDatabase(guest.href);
    await expect(denied.open()).rejects.toThrow(/the user has no permission/);
    await execute(url.href, `alter database ${url.pathname.slice(1)} set default_transaction_read_only = on`);
    await using replica = createPostgresDatabase(url.href);
    await expect(replica.open()).rejects.toThrow(/read-only, as a replica is: name the primary/);
  });

  test('something else than the address of a Postgres is refused', () => {
    for (const url of ['mysql://me:hidden@host/db', 'no address'])
      expect(() => createPostgresDatabase(url)).toThrow(/looks like postgres:\/\/USER/);
  });

  test('transactions run one at a time across hosts, so that what was read holds', async () => {
    const url = await postgresUrl();
    const hosts = [0, 1, 2].map(() => createPostgresDatabase(url));
    try {
      const reserve = async (host: number): Promise<void> => {
        await (await hosts[host]!.open()).transaction().execute(async (transaction) => {
          const { sum } = await transaction
            .selectFrom('reservations')
            .select(({ fn }) => fn.coalesce(fn.sum<number>('amount'), sql<number>`0`).as('sum'))
            .executeTakeFirstOrThrow();
          if (sum >= 20) return;
          const row = { day: 'd', at: 'a', agent: 'a', amount: 1, owner: 'o' };
          await transaction.insertInto('reservations').values(row).execute();
        });
      };
      await Promise.all(Array.from({ length: 60 }, (_, index) => reserve(index % 3)));
      const open = await hosts[0]!.open();
      expect(await open.selectFrom('reservations').select('amount').execute()).toHaveLength(20);
    } finally {
      for (const host of hosts) await host[Symbol.asyncDispose]();
    }
  });

  test('a server that restarts breaks what runs, and the next statement works', async () => {
    await using server = await startPostgres();
    await using database = createPostgresDatabase(await server.createDatabase());
    const open = await database.open();
    const inside = Promise.withResolvers<void>();
    const restarted = Promise.withResolvers<void>();
    const running = open.transaction().execute(async (transaction) => {
      inside.resolve();
      await restarted.promise;
      await transaction.selectFrom('usage').select('id').execute();
    });
    running.catch(() => {});
    await inside.promise;
    await server.stop();
    await expect(open.selectFrom('usage').select('id').execute()).rejects.toMatchObject({
      code: 'PEG_DATABASE',
    });
    await server.start();
    restarted.resolve();
    await expect(running).rejects.toMatchObject({ code: 'PEG_DATABASE' });
    expect(await open.selectFrom('usage').select('id').execute()).toEqual([]);
  });

  test('a process that stands still in a transaction does not stop the others', async () => {
    const url = await postgresUrl();
    await using still = createPostgresDatabase(url);
    await using other = createPostgresDatabase(url);
    await other.open();
    const inside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const standing = (await still.open()).transaction().execute(async (transaction) => {
      const { rows } = await sql<object>`show idle_in_transaction_session_timeout`.execute(transaction);
      expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
      await sql`set idle_in_transaction_session_timeout = 100`.execute(transaction);
      inside.resolve();
      await goOn.promise;
      await transaction.selectFrom('usage').select('id').execute();
    });
    standing.catch(() => {});
    await inside.promise;
    const work = async (): Promise<void> => {
      await (await other.open()).transaction().execute(async (transaction) => {
        await transaction.selectFrom('usage').select('id').execute();
      });
    };
    // The first attempt may run into its own limit just before the server ends the other transaction.
    await work().catch(work);
    goOn.resolve();
    await expect(standing).rejects.toMatchObject({ code: 'PEG_DATABASE' });
    await (await still.open()).selectFrom('usage').select('id').execute();
  });
});

async function execute(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
