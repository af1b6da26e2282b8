import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** Texts that databases treat differently. */
const oddTexts: readonly string[] = [
  '',
  'a\0b',
  '\0',
  'lone \ud800 surrogate',
  '👩‍👩‍👧 zażółć 記憶',
  'it\'s "quoted" \\ back',
  '\r\n\t\u0001\u007f',
  '\\x00 \\N',
  'é e\u0301',
  'x'.repeat(1_000_000),
];
const wholeNumbers: readonly bigint[] = [0n, -1n, 42n, 9_007_199_254_740_993n, -9_223_372_036_854_775_808n];
const numbers: readonly number[] = [0.1 + 0.2, 1e-300, -0, 5, 1e300, Number.MIN_VALUE, Infinity];
const bytes: readonly Uint8Array[] = [
  Uint8Array.of(0, 1, 255, 0),
  new Uint8Array(0),
  Uint8Array.from({ length: 3_000 }, (_, at) => at % 251),
];

const at = '2026-01-02T03:04:05.678Z';
/** Columns that the host or a plugin reads while it moves, or that a table restricts in a way that isn't a list. */
const fixed: { readonly [column: string]: SQLInputValue } = {
  tags: '["tea"]',
  joined: null,
  rewritten: 1,
  threaded: 0,
  begun: 1,
  stop_asked: 0,
  cancel_asked: 1,
  cron: '0 9 * * *',
  run_at: null,
  channel: 'terminal',
  chat: 'a chat',
  round: 3,
  attempts: 2,
  crashes: 1,
  uncertain: 1,
  sending: 0,
};

/** Texts that may be the same in several rows, and long: Postgres has no index of a megabyte. */
const plain: ReadonlySet<string> = new Set(['text', 'note', 'body', 'content', 'result', 'reply', 'error']);

/** Writes some rows into every ordinary table of a file, and leaves gaps in the numbers of rows. */
export function fillEveryTable(path: string, rowsEach = 12): void {
  using database = new DatabaseSync(path);
  database.exec('pragma foreign_keys = off; begin immediate');
  for (const table of ordinaryTables(database)) fillTable(database, table, rowsEach);
  database.exec('commit');
}

function fillTable(database: DatabaseSync, table: string, rowsEach: number): void {
  const { sql } = database.prepare('select sql from sqlite_schema where name = ?').get(table) as {
    sql: string;
  };
  const lists = new Map(
    [...sql.matchAll(/check \(\s*(\w+) in \(([^)]*)\)/g)].map(([, column, list]) => [
      column!,
      list!.split(',').map((one) => (/'/.test(one) ? one.trim().slice(1, -1) : Number(one))),
    ]),
  );
  const isSingle = /check \(id = 1\)/.test(sql);
  const parents = new Map(
    database
      .prepare('select "from" as source, "table" as target from pragma_foreign_key_list(?)')
      .all(table)
      .map((row) => [row['source'] as string, row['target'] as string]),
  );
  const columns = database
    .prepare('select name, type, pk, "notnull" as required from pragma_table_info(?)')
    .all(table) as unknown as readonly { name: string; type: string; pk: number; required: number }[];
  const insert = database.prepare(
    `insert or ignore into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  for (let row = 1; row <= (isSingle ? 1 : rowsEach); row++) {
    insert.run(
      ...columns.map(({ name, type, pk, required }, column): SQLInputValue => {
        const one = <T>(values: readonly T[]): T => values[(row + column) % values.length]!;
        // Also to a row that comes later.
        if (parents.has(name)) return ((row % rowsEach) + 1) * 3;
        if (name === 'id' && /int/i.test(type)) return isSingle ? 1 : row * 3;
        if (Object.hasOwn(fixed, name)) return fixed[name]!;
        const list = lists.get(name);
        if (list) return one(list);
        if (/(^|_)at$/.test(name)) return /int/i.test(type) ? row : at;
        if (!required && pk === 0 && row % 4 === 0) return null;
        if (/int/i.test(type))
          return /_(id|until)$|^(position|message_id)$/.test(name) ? row : one(wholeNumbers);
        if (/real/i.test(type)) return one(numbers);
        if (/blob/i.test(type)) return one(bytes);
        // Keys have to differ, also where a character is replaced.
        return plain.has(name) ? one(oddTexts) : `${row} ${one(oddTexts.slice(0, -1))}`;
      }),
    );
  }
  // The number of a deleted row is not given again.
  if (table === 'channels_messages')
    database.exec(`delete from channels_messages where id = ${rowsEach * 3}`);
}

/** The rows of every ordinary table and their numbers, as lines. */
export function dumpFile(path: string): readonly string[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const lines: string[] = [];
  for (const table of [...ordinaryTables(database), 'sqlite_sequence']) {
    const statement = database.prepare(`select * from "${table}"`);
    statement.setReadBigInts(true);
    const rows = (statement.all() as readonly Record<string, unknown>[]).map((row) =>
      Object.entries(row)
        .map(([column, value]) => `${column}=${shown(value)}`)
        .join(' '),
    );
    lines.push(...rows.toSorted().map((row) => `${table}: ${row}`));
  }
  return lines;
}

const shown = (value: unknown): string =>
  value instanceof Uint8Array
    ? `x${Buffer.from(value).toString('hex')}`
    : typeof value === 'bigint'
      ? `${value}n`
      : Object.is(value, -0)
        ? '-0'
        : JSON.stringify(value);

const ordinaryTables = (database: DatabaseSync): readonly string[] =>
  database
    .prepare(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
        and name not in ('plugin_versions', 'plugin_objects', 'engine_jobs', 'engine_hosts') order by name`,
    )
    .all()
    .map((row) => row['name'] as string);
