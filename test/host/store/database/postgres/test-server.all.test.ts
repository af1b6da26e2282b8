import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { describePostgres, postgresUrl, startPostgres } from '../../../../kit/postgres.ts';

describePostgres('the Postgres of the tests', () => {
  test('each test gets an empty database of its own', async () => {
    const [first, second] = [await postgresUrl(), await postgresUrl()];
    await query(first, 'create table mine (id int)');
    await query(second, 'create table mine (id int)');
    expect(await query(second, 'select count(*)::int as rows from mine')).toEqual([{ rows: 0 }]);
  });

  test('a server of its own keeps its data when it crashes and starts again', async () => {
    await using server = await startPostgres({ fsync: true, settings: { max_connections: '20' } });
    const url = await server.createDatabase();
    await query(url, 'create table kept (id int); insert into kept values (7)');
    await server.stop();
    await expect(query(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.start();
    expect(await query(url, 'select id from kept')).toEqual([{ id: 7 }]);
    expect(await query(url, 'show max_connections')).toEqual([{ max_connections: '20' }]);
  });

  test('a server ends with its process, also a killed one', async () => {
    const child = spawn(process.execPath, [new URL('fixtures/hanging-server.ts', import.meta.url).pathname], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url, folder } = JSON.parse(String(line)) as { url: string; folder: string };
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    child.kill('SIGKILL');
    await expect.poll(() => existsSync(folder)).toBe(false);
    await expect(query(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

async function query(url: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
