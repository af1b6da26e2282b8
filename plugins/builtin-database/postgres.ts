import { asSentence, PegboardError, toJson } from 'pegboard';
import type { Client, FieldDef } from 'pg';
import { calledFunctions } from './called-functions.ts';
import type { Limits } from './config.ts';
import type { SqlDatabase, Rows, Statement, Value } from './database.ts';
import { valueTypes } from './postgres-types.ts';

/** Volatile functions of Postgres that change nothing. */
const harmless = [
  'random',
  'random_normal',
  'clock_timestamp',
  'timeofday',
  'gen_random_uuid',
  'uuidv4',
  'uuidv7',
  'setseed',
];
/** Statements that may change data after confirmation. None of them leaves the database or the transaction. */
const writing = /^(insert|update|delete|merge|with|create|alter|drop|truncate|comment)\b/i;
/** Rows fetched at once. */
const batchSize = 100;
/** Maximum bytes received on one connection, because a single value may be huge. */
const maxResultBytes = 64_000_000;

/** Each statement has its own connection and transaction, so that settings don't carry over. */
export function postgresDatabase(url: string): SqlDatabase {
  const read = (statement: Statement, limits: Limits, signal: AbortSignal): Promise<Rows> =>
    connected(url, limits, signal, async (client) => {
      await client.query('begin transaction isolation level repeatable read read only');
      // After the first snapshot, a read-only transaction can't be made writable.
      await client.query('select 1');
      await refuseVolatile(client, statement.sql);
      return await fetchRows(client, statement, limits);
    });
  return {
    name: () => Promise.resolve('Postgres'),
    read,
    write: (statement, limits, signal) =>
      connected(url, limits, signal, async (client) => {
        if (!writing.test(withoutComments(statement.sql)))
          throw new PegboardError(
            'PEG_DENIED',
            'Only what changes rows or tables is run: insert, update, delete, merge, create, alter, drop, truncate.',
          );
        await client.query('begin');
        const { rows, fields, rowCount } = await client.query<unknown[]>(extended(statement));
        await client.query('commit');
        return { ...toRows(rows, fields, limits), changed: rowCount ?? 0 };
      }),
    tables: (limits, signal) =>
      read(
        {
          sql: `select case table_schema when 'public' then '' else table_schema || '.' end || table_name as name, lower(table_type) as type from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema') order by 1`,
          params: [],
        },
        limits,
        signal,
      ),
    columns: (table, limits, signal) =>
      read(
        {
          sql: `select column_name as name, data_type as type, is_nullable = 'YES' as nullable, column_default as "default" from information_schema.columns where table_name = $1 and table_schema = $2 order by ordinal_position`,
          params: table.includes('.') ? table.split('.', 2).toReversed() : [table, 'public'],
        },
        limits,
        signal,
      ),
  };
}

/** A cursor accepts a single query, and none that changes data within it. */
async function fetchRows(client: Client, { sql, params }: Statement, limits: Limits): Promise<Rows> {
  await client.query(extended({ sql: `declare pegboard_rows no scroll cursor for ${sql}\n`, params }));
  const rows: unknown[][] = [];
  let fields: readonly FieldDef[] = [];
  let bytes = 0;
  while (rows.length <= limits.maxRows && bytes <= limits.maxBytes) {
    const count = Math.min(batchSize, limits.maxRows + 1 - rows.length);
    const part = await client.query<unknown[]>({
      text: `fetch forward ${count} from pegboard_rows`,
      rowMode: 'array',
    });
    fields = part.fields;
    rows.push(...part.rows);
    bytes += toJson(part.rows).length;
    if (part.rows.length < count) break;
  }
  return toRows(rows, fields, limits);
}

/** A superuser could reach files and other servers through functions, even in a read-only transaction. */
async function refuseVolatile(client: Client, sql: string): Promise<void> {
  const names = calledFunctions(sql);
  if (names.length === 0) return;
  const { rows } = await client.query<{ name: string }>(
    `select distinct proname as name from pg_catalog.pg_proc where provolatile = 'v' and proname::text = any($1) and proname::text <> all($2)`,
    [names, harmless],
  );
  if (rows.length === 0) return;
  const shown = rows.map(({ name }) => name).join(', ');
  throw new PegboardError(
    'PEG_DENIED',
    `The statement calls ${shown}, which may change something or reach beyond the database.`,
  );
}

/** The extended protocol accepts a single statement. */
const extended = ({ sql, params }: Statement) => ({
  text: sql,
  values: params.map((param) => (param === null || typeof param === 'string' ? param : param.number)),
  rowMode: 'array' as const,
  queryMode: 'extended' as const,
});

async function connected<T>(
  url: string,
  { timeout }: Limits,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    types: await valueTypes(),
    application_name: 'pegboard',
    connectionTimeoutMillis: Math.min(timeout, 10_000),
    statement_timeout: timeout,
    query_timeout: timeout + 1_000,
  });
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {});
  client.on('error', (cause) => reject(cause));
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([client.connect(), ended]);
    const { stream } = (client as unknown as { connection: { stream: import('node:net').Socket } })
      .connection;
    stream.on('data', () => {
      if (stream.bytesRead > maxResultBytes)
        reject(new Error(`the result has more than ${maxResultBytes / 1_000_000} MB`));
    });
    return await Promise.race([work(client), ended]);
  } catch (cause) {
    if (cause instanceof PegboardError || signal.aborted) throw cause;
    throw toFailure(cause, timeout);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Without a commit, the server rolls back.
    const { connection } = client as unknown as { connection: { stream: import('node:net').Socket } };
    void client.end().catch(() => {});
    connection.stream.destroy();
  }
}

function toFailure(cause: unknown, timeout: number): PegboardError {
  const { code, message } = cause as { readonly code?: string; readonly message: string };
  if (code === '57014' || /Query read timeout/.test(message))
    return new PegboardError('PEG_TIMEOUT', `The statement took longer than ${timeout / 1_000} s.`);
  const what =
    code !== undefined && /^[0-9A-Z]{5}$/.test(code)
      ? 'Postgres refuses the statement'
      : "The Postgres of DATABASE_URL can't be reached";
  return new PegboardError('PEG_TOOL_FAILED', `${what}: ${asSentence(message)}`);
}

function toRows(rows: readonly (readonly unknown[])[], fields: readonly FieldDef[], limits: Limits): Rows {
  const kept: Value[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const values = row.map(toValue);
    bytes += toJson(values).length;
    if (kept.length === limits.maxRows || bytes > limits.maxBytes)
      return { columns: namesOf(fields), rows: kept, cut: true };
    kept.push(values);
  }
  return { columns: namesOf(fields), rows: kept, cut: false };
}

const namesOf = (fields: readonly FieldDef[]): readonly string[] => fields.map(({ name }) => name);

function toValue(value: unknown): Value {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.map(toValue);
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return value as Value;
}

const withoutComments = (sql: string): string => sql.replace(/^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)+/, '');
