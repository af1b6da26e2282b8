import { mkdir, link, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ask } from '../../../host/api/ask.ts';
import type { ToolResult } from '../../../host/api/result.ts';
import { parseJson, toJson } from '../../../host/core/documents/written-numbers.ts';
import { originsOf } from '../../../host/core/foreign/untrusted.ts';
import { createHost } from '../../../host/create-host.ts';
import { textOf } from '../../../host/tools/result.ts';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';
import type { Pglite } from '../../kit/pglite.ts';
import { openPostgres } from './postgres.ts';

/** As in the documentation of the system from which it is known. */
const agentFile = `tools:
  modules:
    filesystem:
      constraints:
        allowed_actions: [read, glob, grep]
    database:
      config:
        timeout_seconds: 10
      setup:
        - action: connect
          params:
            connection_id: main
            driver: sqlite
            database: "{{workdir}}/data.db"
      constraints:
        allowed_actions: [fetch_results, list_tables]
        blocked_actions: [execute_query]
`;
const file = 'spaces/work/agent/agent.yaml';
const yes: Ask = () => Promise.resolve({ action: 'accept', content: { answer: 'once' } });

async function openHome(
  files: { readonly [file: string]: string } = {},
  environment: NodeJS.ProcessEnv = {},
) {
  const home = await createHome({ [file]: agentFile, ...files });
  const path = join(home.path, 'spaces/work/data.db');
  const database = new DatabaseSync(path);
  database.exec(`create table orders (id integer primary key, name text, total real, big integer, raw blob);
    insert into orders values (1, 'Ada', 2.5, 9007199254740993, x'00ff'), (2, 'Bo|b' || char(10) || 'x', null, 1, null)`);
  database.close();
  const host = await createHost({
    home: home.path,
    environment: { ...process.env, DATABASE_URL: undefined, ...environment },
  });
  return {
    home,
    host,
    path,
    call: (name: string, args: object, ask?: Ask, agent?: string): Promise<ToolResult> =>
      host.dispatch({
        name: `database.${name}`,
        args,
        scope: host.scopeFor(agent),
        caller: 'test',
        ...(ask && { ask }),
      }),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

type Opened = Awaited<ReturnType<typeof openHome>>;

const messageOf = ({ error, ...rest }: ToolResult): string => error?.message ?? `no error: ${textOf(rest)}`;

describe('the module database', () => {
  /** For tests that only read. */
  let opened: Opened;
  beforeAll(async () => {
    opened = await openHome();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test('as an agent file of elsewhere declares it, lints and runs', async () => {
    await using opened = await openHome();
    const { home, host } = opened;
    const lint = await pegboardJson<{ diagnostics: unknown[] }>(['lint', file], {
      home: home.path,
      cwd: home.path,
    });
    expect(lint.diagnostics).toEqual([]);
    await host.spaces.setUp(host.spaces.agentFor('work'));
    const tables = await opened.call('list_tables', {}, undefined, 'work');
    expect(tables.structured).toMatchObject({ rows: [['orders', 'table']] });
    const found = await opened.call('fetch_results', { query: 'select * from orders' }, undefined, 'work');
    expect(found.structured).toEqual({
      columns: ['id', 'name', 'total', 'big', 'raw'],
      rows: [
        [1, 'Ada', 2.5, '9007199254740993', '\\x00ff'],
        [2, 'Bo|b\nx', null, 1, null],
      ],
      cut: false,
    });
    expect(textOf(found)).toContain('| 2 | Bo\\|b x | null | 1 | null |');
    expect(originsOf(found)).toMatchObject([{ kind: 'file' }]);
    expect(
      (await opened.call('execute_query', { query: 'delete from orders' }, yes, 'work')).error?.code,
    ).toBe('PEG_TOOL_UNAVAILABLE');
  });

  test('takes as many values as a statement has places for, whatever their names', async () => {
    const query = (sql: string, ...params: unknown[]): Promise<ToolResult> =>
      opened.call('fetch_results', { connection_id: 'spaces/work/data.db', query: sql, params });
    expect(messageOf(await query('select name from orders where id = ? or id = ?', 1))).toBe(
      'SQLite refuses the statement: it has 2 places for values, and params has 1 value: 1 missing.',
    );
    expect(messageOf(await query('select name from orders', 1))).toContain('params has 1 value: 1 too many');
    const found = await query('select ?2, :x, ?1, ?', 'a', 'b', 'c', 'd');
    expect(found.structured).toMatchObject({ rows: [['b', 'c', 'a', 'd']] });
  });

  test('shows numbers that JSON has not as texts', async () => {
    const query = 'select 1e999, -1e999, 1.5';
    const found = await opened.call('fetch_results', { connection_id: 'spaces/work/data.db', query });
    expect(found.structured).toMatchObject({ rows: [['Infinity', '-Infinity', 1.5]] });
  });

  test('names what a table may have been meant to be', async () => {
    const at = { connection_id: 'spaces/work/data.db' };
    expect(messageOf(await opened.call('describe_table', { ...at, table: 'oders' }))).toBe(
      'There is no table "oders" in spaces/work/data.db. Did you mean orders?',
    );
    expect(messageOf(await opened.call('fetch_results', { ...at, query: 'select * from oders' }))).toBe(
      'SQLite refuses the statement: no such table: oders. Did you mean orders?',
    );
    expect(messageOf(await opened.call('describe_table', { ...at, table: 'people' }))).toContain(
      'The tables are orders.',
    );
    const described = await opened.call('describe_table', { ...at, table: 'ORDERS' });
    expect(described.structured).toMatchObject({ rows: { length: 5 } });
  });

  test('reads virtual tables, and writes nothing of theirs', async () => {
    await using opened = await openHome();
    const database = new DatabaseSync(opened.path);
    database.exec(`create virtual table notes using fts5(title, body);
      insert into notes values ('a', 'hello world'), ('b', 'hello again');
      create virtual table boxes using rtree(id, x0, x1);
      insert into boxes values (1, 0, 2);`);
    database.close();
    const at = { connection_id: 'spaces/work/data.db' };
    const query = (sql: string): Promise<ToolResult> => opened.call('fetch_results', { ...at, query: sql });
    const found = await query(
      `select title, highlight(notes, 1, '<', '>') from notes where notes match 'again' order by rank`,
    );
    expect(found.structured).toMatchObject({ rows: [['b', 'hello <again>']] });
    expect((await query('select id from boxes where x0 < 1')).structured).toMatchObject({ rows: [[1]] });
    const tables = await opened.call('list_tables', at);
    expect(tables.structured).toMatchObject({
      rows: [
        ['boxes', 'virtual'],
        ['notes', 'virtual'],
        ['orders', 'table'],
      ],
    });
    for (const sql of [
      'delete from notes_data',
      'delete from boxes_node returning 1',
      `insert into notes values ('c', 'd') returning 1`,
      `insert into notes(notes) values ('optimize') returning 1`,
    ])
      expect(messageOf(await query(sql))).toMatch(/SQLite refuses the statement: .*(read|modified|authoriz)/);
    expect((await query('select count(*) from notes')).structured).toMatchObject({ rows: [[2]] });
  });

  test('reads a file of the home from the command line, without a connection', async () => {
    const found = await pegboard(
      [
        'call',
        'database.fetch_results',
        'connection_id=spaces/work/data.db',
        'query=select name from orders where id = ?',
        'params=[1]',
      ],
      { home: opened.home.path },
    );
    expect(found).toMatchObject({ code: 0, stdout: '| name |\n| --- |\n| Ada |\n1 row\n' });
  });

  test('gives a statement its values as they are, and refuses a number that no number here can hold', async () => {
    const at = { connection_id: 'spaces/work/data.db' };
    const query = 'select ?, ?, ?, ? || ?';
    const found = await opened.call('fetch_results', { ...at, query, params: [7, 2.5, true, 7, 'x'] });
    expect(found.structured).toMatchObject({ rows: [[7, 2.5, 1, '7x']] });
    const given = async (params: string): Promise<ToolResult> => {
      const text = `{"connection_id":"${at.connection_id}","query":"select ?, typeof(?1)","params":[${params}]}`;
      return await opened.call('fetch_results', parseJson(text) as object);
    };
    const shown = {
      '1.0': '1.0 | real',
      '1': '1 | integer',
      '9007199254740993': '9007199254740993 | integer',
    };
    for (const [number, row] of Object.entries(shown))
      expect(textOf(await given(number)), number).toContain(`| ${row} |`);
    const refused = {
      '0.30000000000000000001': 'has more digits than a number of SQLite can keep',
      '9223372036854775808': 'is too large for a number of SQLite',
      '1e999': 'is too large for a number of SQLite',
    };
    for (const [number, why] of Object.entries(refused))
      expect(messageOf(await given(number))).toContain(
        `params.0 is ${number}, which ${why}. Write it as text.`,
      );
  });

  test('changes nothing unless that is allowed, and then asks with the statement', async () => {
    await using opened = await openHome();
    const at = { connection_id: 'spaces/work/data.db' };
    const refused = await opened.call('execute_query', { ...at, query: 'delete from orders' }, yes);
    expect(messageOf(refused)).toContain('allow_writes: true');
    await using allowed = await openHome({
      'pegboard.yaml': 'plugins: { builtin-database: { config: { allowWrites: true } } }',
    });
    expect((await allowed.call('execute_query', { ...at, query: 'delete from orders' })).error?.code).toBe(
      'PEG_NOBODY_TO_ASK',
    );
    const shown: string[] = [];
    const ask: Ask = ({ detail = '' }) => (
      shown.push(detail),
      Promise.resolve({ action: 'accept', content: { answer: 'once' } })
    );
    const done = await allowed.call(
      'execute_query',
      { ...at, query: 'delete from orders where id = ?', params: [2] },
      ask,
    );
    expect(textOf(done)).toBe('1 row changed');
    expect(shown[0]).toContain('delete from orders where id = ?\n-- with [2]\n-- on spaces/work/data.db');
    expect(
      (await allowed.call('execute_query', { ...at, query: 'create table t (a)' }, yes)).error,
    ).toBeUndefined();
    expect((await allowed.call('drop_table', { ...at, table: 't' }, yes)).error).toBeUndefined();
    const left = await allowed.call('list_tables', at);
    expect(left.structured).toMatchObject({ rows: [['orders', 'table']] });
  });

  const many = 'with recursive n(i) as (select 1 union all select i + 1 from n)';

  test('has limits for rows and size', async () => {
    await using opened = await openHome({
      'pegboard.yaml': 'plugins: { builtin-database: { config: { maxRows: 3 } } }',
    });
    const at = { connection_id: 'spaces/work/data.db' };
    const cut = await opened.call('fetch_results', { ...at, query: `${many} select i from n` });
    expect(cut.structured).toMatchObject({ rows: [[1], [2], [3]], cut: true });
    const large = await opened.call('fetch_results', {
      ...at,
      query: `${many} select hex(zeroblob(1500000)) from n`,
    });
    expect(large.structured).toMatchObject({ rows: [], cut: true });
  });

  test('has a limit for time', async () => {
    await using opened = await openHome({
      'pegboard.yaml': 'plugins: { builtin-database: { config: { timeoutSeconds: 1 } } }',
    });
    const endless = await opened.call('fetch_results', {
      connection_id: 'spaces/work/data.db',
      query: `${many} select count(*) from n`,
    });
    expect(endless.error?.code).toBe('PEG_TIMEOUT');
  });
});

describe('a hostile model and SQLite', () => {
  /** What is refused changes nothing: one host is asked all of it. */
  let reading: Opened;
  let writing: Opened;
  beforeAll(async () => {
    reading = await openHome();
    writing = await openHome({
      'pegboard.yaml': 'plugins: { builtin-database: { config: { allowWrites: true } } }',
    });
  });
  afterAll(async () => {
    await reading[Symbol.asyncDispose]();
    await writing[Symbol.asyncDispose]();
  });

  test.for([
    'delete from orders',
    'select 1; delete from orders',
    'with x as (select 1) delete from orders',
    "attach 'data/pegboard.db' as p",
    "vacuum into 'copy.db'",
    'pragma journal_mode = delete',
    'pragma writable_schema = 1',
    "select load_extension('x')",
    'create temp table t (a)',
    'begin exclusive',
    'insert into orders select * from orders returning id',
    'explain select 1; drop table orders',
    'select 1;/* */;--\ndrop table orders',
  ])('reads and nothing else: %s', async (query) => {
    const before = await readFile(reading.path);
    const result = await reading.call('fetch_results', { connection_id: 'spaces/work/data.db', query });
    expect(messageOf(result)).toContain('SQLite refuses the statement');
    expect(await readFile(reading.path)).toEqual(before);
    await expect(stat(join(reading.home.path, 'spaces/work/copy.db'))).rejects.toThrow('ENOENT');
  });

  test.for([
    "attach 'other.db' as o",
    "vacuum into 'copy.db'",
    'pragma writable_schema = 1',
    'select 1; delete from orders',
  ])('does not get out of the file by writing: %s', async (query) => {
    const result = await writing.call('execute_query', { connection_id: 'spaces/work/data.db', query }, yes);
    expect(messageOf(result)).toContain('SQLite refuses the statement');
  });

  test('opens no file but databases of the home', async () => {
    await using opened = await openHome({
      'secrets.txt': 'not a database',
      '.hidden/x.db': '',
      'data/own.db': 'belongs to Pegboard itself',
      'data/x.db': '',
    });
    const { home } = opened;
    await writeFile(join(home.path, 'data/own.db'), await readFile(opened.path));
    await symlink(join(home.path, 'data/own.db'), join(home.path, 'link.db'));
    await symlink(join(home.path, 'data'), join(home.path, 'folder'));
    await link(join(home.path, 'data/own.db'), join(home.path, 'hard.db'));
    await mkdir(join(home.path, 'dir.db'));
    const said: { [path: string]: string } = {
      'data/pegboard.db': 'belongs to Pegboard itself',
      'spaces/../data/pegboard.db': 'belongs to Pegboard itself',
      'data/own.db': 'belongs to Pegboard itself',
      'data/x.db': 'belongs to Pegboard itself',
      'link.db': 'belongs to Pegboard itself',
      'folder/own.db': 'belongs to Pegboard itself',
      'hard.db': 'it has another name as well (a hard link)',
      './secrets.txt': 'it is not an SQLite database',
      '.hidden/x.db': 'begin with a dot',
      'dir.db': 'it is not a file',
      '/etc/passwd': 'outside the home',
      '../other/x.db': 'outside the home',
      'file:data/pegboard.db?mode=ro': 'There is no database',
    };
    for (const [connection_id, message] of Object.entries(said)) {
      const result = await opened.call('fetch_results', { connection_id, query: 'select 1' });
      expect(messageOf(result), connection_id).toContain(message);
    }
  });
});

const tables = `create table orders (id int primary key, name text, total numeric);
  insert into orders values (1, 'Ada', 2.5), (2, 'Bob', 3.25);
  create function touch() returns int language sql as 'delete from orders; select 1'`;

describe('Postgres', () => {
  let postgres: Pglite;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  test('is the one of DATABASE_URL, with rows, parameters and limits', async () => {
    await using server = await postgres.open(tables);
    await using opened = await openHome(
      { 'pegboard.yaml': 'plugins: { builtin-database: { config: { maxRows: 150 } } }' },
      { DATABASE_URL: server.url },
    );
    expect(textOf(await opened.call('connect', { driver: 'postgres', connection_id: 'shop' }))).toBe(
      'shop is Postgres',
    );
    const listed = await opened.call('list_tables', { connection_id: 'shop' });
    expect(listed.structured).toMatchObject({ rows: [['orders', 'base table']] });
    const described = await opened.call('describe_table', { table: 'orders' });
    expect(described.structured).toMatchObject({
      rows: [
        ['id', 'integer', false, null],
        ['name', 'text', true, null],
        ['total', 'numeric', true, null],
      ],
    });
    const query = 'select name, total, upper(name) from orders where id = $1';
    const found = await opened.call('fetch_results', { query, params: [2] });
    expect(found.structured).toEqual({
      columns: ['name', 'total', 'upper'],
      rows: [['Bob', '3.25', 'BOB']],
      cut: false,
    });
    const many = await opened.call('fetch_results', { query: 'select generate_series(1, 1000000)' });
    expect((many.structured as { rows: unknown[] }).rows).toHaveLength(150);
    expect(many.structured).toMatchObject({ cut: true });
    const elsewhere = await opened.call('connect', {
      driver: 'postgres',
      database: 'postgres://evil.example/x',
    });
    expect(messageOf(elsewhere)).toContain('leave out `database`');
    expect(JSON.stringify([listed, found, elsewhere])).not.toContain(new URL(server.url).password);
  });

  test('gives and takes numbers and moments with all their digits', async () => {
    await using server = await postgres.open(tables);
    await using opened = await openHome({}, { DATABASE_URL: server.url });
    const query = `select $1::numeric, $2::int8, '{"id":9007199254740993,"n":1.0}'::json, '12345678901234567890'::jsonb,
      '7'::json, array[0.30000000000000000001], array['{"id":9007199254740993}'::json],
      timestamp '2026-05-01 09:00:00.123456', date '2026-05-01'`;
    const args = `{"query":${JSON.stringify(query)},"params":[0.30000000000000000001,9007199254740993]}`;
    const found = await opened.call('fetch_results', parseJson(args) as object);
    expect(toJson((found.structured as { rows: unknown[] }).rows)).toBe(
      '[["0.30000000000000000001","9007199254740993",{"id":9007199254740993,"n":1.0},"12345678901234567890",7,' +
        '["0.30000000000000000001"],[{"id":9007199254740993}],"2026-05-01 09:00:00.123456","2026-05-01"]]',
    );
  });

  test('changes rows after a question, one statement at a time', async () => {
    await using server = await postgres.open(tables);
    await using opened = await openHome(
      { 'pegboard.yaml': 'plugins: { builtin-database: { config: { allowWrites: true } } }' },
      { DATABASE_URL: server.url },
    );
    const run = (query: string): Promise<ToolResult> => opened.call('execute_query', { query }, yes);
    expect(textOf(await run('update orders set total = 1 where id = 1'))).toBe('1 row changed');
    expect((await run('delete from orders where id = 2 returning name')).structured).toMatchObject({
      rows: [['Bob']],
    });
    expect(await server.query('select id, total from orders')).toEqual([{ id: 1, total: '1' }]);
    expect(messageOf(await run('delete from orders; select 1'))).toContain('Postgres refuses');
    expect(messageOf(await run("copy orders to program 'id'"))).toContain('Only what changes rows');
    expect(await server.query('select id from orders')).toHaveLength(1);
  });

  const hostile = [
    'delete from orders',
    'with x as (delete from orders returning *) select * from x',
    'select 1; delete from orders',
    'select 1; commit; delete from orders',
    "copy (select 1) to program 'touch /tmp/x'",
    "copy orders to '/tmp/x'",
    'do $$ begin delete from orders; end $$',
    'commit',
    'set transaction read write',
    "select set_config('transaction_read_only', 'off', false)",
    'select touch()',
    'select public . "touch" ()',
    "select pg_read_file('/etc/passwd')",
    "select/**/pg_ls_dir/* ( */('/')",
    "select query_to_xml('delete from orders', true, true, '')",
    'select * into copied from orders',
    'select * from orders for update',
    'select U&"t\\006fuch"()',
    'select 1) ; delete from orders; --',
    'call touch()',
    'explain analyze delete from orders',
  ];
  test('a hostile model reads and nothing else', async () => {
    await using server = await postgres.open(tables);
    await using opened = await openHome({}, { DATABASE_URL: server.url });
    for (const query of hostile) {
      const result = await opened.call('fetch_results', { query });
      expect({ query, code: result.error?.code }).toEqual({
        query,
        code: expect.stringMatching(/^PEG_(TOOL_FAILED|DENIED)$/) as string,
      });
      expect(messageOf(result)).toMatch(/refuses|calls|The statement has/);
      expect(await server.query('select id from orders')).toHaveLength(2);
    }
    expect(await server.query("select * from pg_tables where tablename = 'copied'")).toEqual([]);
    expect(
      (await opened.call('fetch_results', { query: 'select count(*) from orders' })).structured,
    ).toMatchObject({
      rows: [['2']],
    });
  });

  test('that is not there, and a missing DATABASE_URL, are said in plain words', async () => {
    await using opened = await openHome({}, { DATABASE_URL: 'postgres://u:hidden-password@127.0.0.1:9/x' });
    const gone = messageOf(await opened.call('fetch_results', { query: 'select 1' }));
    expect(gone).toContain("The Postgres of DATABASE_URL can't be reached");
    expect(gone).not.toContain('hidden-password');
    await using without = await openHome();
    expect(messageOf(await without.call('connect', { driver: 'postgres' }))).toContain(
      'DATABASE_URL is not set',
    );
    expect(messageOf(await without.call('fetch_results', { query: 'select 1' }))).toContain(
      'There is no connection "main"',
    );
  });
});
