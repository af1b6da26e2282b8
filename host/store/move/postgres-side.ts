import type { Client as PgClient } from 'pg';
import { PegboardError } from '../../core/errors.ts';
import { nameOfPostgres } from '../database/postgres/address.ts';
import { codeOf, explainPostgresError } from '../database/postgres/errors.ts';
import { lockOfWriters } from '../database/postgres/pool.ts';
import {
  batchBytes,
  bookkeeping,
  sizeOf,
  type Row,
  type SourceSide,
  type TableShape,
  type TargetSide,
  type Value,
} from './side.ts';

/** Maximum number of parameters of a statement. */
const maxParameters = 65_535;
const maxRows = 1_000;
/** Milliseconds. A host that writes is done by then. */
const lockTimeoutMs = 10_000;

/** A move takes as long as it takes, also where the server has limits for others. */
const settings = `
set search_path = pegboard;
set statement_timeout = 0;
set lock_timeout = 0;
set idle_in_transaction_session_timeout = 0;
`;

/** Numbers of types: `select oid, typname from pg_type`. */
const whole = new Set([20, 21, 23]);
const real = new Set([700, 701]);
const [bool, bytea, numeric] = [16, 17, 1_700];

/** Throws PEG_DATABASE. A statement may take as long as it needs. */
export async function openPostgresSide(url: string): Promise<SourceSide & TargetSide> {
  const { Client } = await import('pg');
  const name = nameOfPostgres(url);
  const client = new Client({
    connectionString: url,
    application_name: 'pegboard-move',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: { getTypeParser: (oid: number) => (text: string) => read(oid, text) },
  });
  client.on('error', () => {});
  const query = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    try {
      const result = await client.query<Value[]>({ text, values: [...values], rowMode: 'array' });
      return result.rows;
    } catch (cause) {
      throw explainPostgresError(name, cause);
    }
  };
  try {
    await client.connect();
    await client.query(settings);
  } catch (cause) {
    throw explainPostgresError(name, cause);
  }
  return {
    kind: 'postgres',
    tables: () => tablesIn(query),
    countOf: async (table) => Number((await query(`select count(*) from ${quoted(table)}`))[0]![0]),
    read: (table, columns) => readTable(query, table, columns),
    lastNumbers: () => lastNumbers(query),
    async lock() {
      try {
        await query('begin isolation level repeatable read');
        await query(`set local lock_timeout = ${lockTimeoutMs}`);
        const names = (await tablesIn(query)).map((table) => quoted(table.name));
        if (names.length > 0) await query(`lock table ${names.join(', ')} in share mode`);
        await query(lockOfWriters);
      } catch (cause) {
        throw isLocked(cause) ? inUse(name) : cause;
      }
    },
    fill: (work) => fill(query, work),
    async insert(table, columns, rows) {
      const atOnce = Math.max(1, Math.floor(maxParameters / columns.length));
      for (let from = 0; from < rows.length; from += atOnce) {
        const some = rows.slice(from, from + atOnce);
        const places = some.map(
          (_, row) => `(${columns.map((__, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
        );
        await query(
          `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values ${places.join(', ')}`,
          some.flat().map(toParameter),
        );
      }
    },
    async setLastNumbers(numbers) {
      for (const { table, column, sequence } of await sequencesIn(query)) {
        const [row] = await query(`select max(${quoted(column)}) from ${quoted(table)}`);
        const [given, found] = [numbers.get(table) ?? 0n, (row![0] as bigint | null) ?? 0n];
        const last = found > given ? found : given;
        if (last > 0n) await query('select setval($1, $2, true)', [sequence, String(last)]);
      }
    },
    // The server does it with each transaction.
    flush: () => Promise.resolve(),
    async empty(tables) {
      const there = (await tablesIn(query)).filter(({ name }) => tables.includes(name));
      if (there.length > 0) await query(`truncate ${there.map(({ name }) => quoted(name)).join(', ')}`);
    },
    [Symbol.asyncDispose]: () => end(client),
  };
}

type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

async function tablesIn(query: Query): Promise<readonly TableShape[]> {
  const rows = await query(
    `select class.relname::text, attribute.attname::text
    from pg_class class join pg_namespace space on space.oid = class.relnamespace
      join pg_attribute attribute on attribute.attrelid = class.oid
    where space.nspname = 'pegboard' and class.relkind = 'r' and attribute.attnum > 0
      and not attribute.attisdropped and attribute.attgenerated = ''
    order by 1, attribute.attnum`,
  );
  const recorded = await query(
    `select 1 from pg_tables where schemaname = 'pegboard' and tablename = 'plugin_objects'`,
  );
  const owners = new Map(
    (recorded.length > 0 ? await query('select object, plugin from plugin_objects') : []) as readonly [
      string,
      string,
    ][],
  );
  const columns = Map.groupBy(rows as readonly (readonly [string, string])[], ([table]) => table);
  return [...columns]
    .filter(([name]) => !bookkeeping.has(name))
    .map(([name, of]) => ({
      name,
      columns: of.map(([, column]) => column),
      owner: owners.get(`table ${name}`),
      hasRowid: false,
      isVirtual: false,
    }));
}

async function* readTable(
  query: Query,
  table: string,
  columns: readonly string[],
): AsyncIterable<readonly Row[]> {
  await query(
    `declare moved no scroll cursor for select ${columns.map(quoted).join(', ')} from ${quoted(table)}`,
  );
  try {
    for (let count = 10; ;) {
      const rows = await query(`fetch ${count} from moved`);
      if (rows.length === 0) return;
      yield rows;
      const mean = rows.reduce((size, row) => size + sizeOf(row), 0) / rows.length;
      count = Math.max(1, Math.min(maxRows, count * 4, Math.floor(batchBytes / mean)));
    }
  } finally {
    // After an error, the transaction does nothing more, and the cursor ends with it.
    await query('close moved').catch(() => {});
  }
}

/** Postgres checks each row at once, unless its constraint says otherwise. */
async function fill(query: Query, work: () => Promise<void>): Promise<void> {
  await query('begin');
  try {
    await query(lockOfWriters);
    const keys = (await query(
      `select format('alter table %I alter constraint %I', class.relname, con.conname), con.condeferrable, con.condeferred
      from pg_constraint con join pg_class class on class.oid = con.conrelid
      where con.contype = 'f' and con.connamespace = 'pegboard'::regnamespace`,
    )) as readonly (readonly [string, bigint, bigint])[];
    for (const [constraint] of keys) await query(`${constraint} deferrable initially deferred`);
    await work();
    await query('set constraints all immediate');
    for (const [constraint, deferrable, deferred] of keys)
      await query(
        `${constraint} ${deferrable ? 'deferrable' : 'not deferrable'} initially ${deferred ? 'deferred' : 'immediate'}`,
      );
    // Where the server is set otherwise, a crash of it could forget what was confirmed.
    await query('set local synchronous_commit = on');
    await query('commit');
  } catch (cause) {
    await query('rollback').catch(() => {});
    throw cause;
  }
}

interface Sequence {
  readonly table: string;
  readonly column: string;
  /** Quoted, with its schema. */
  readonly sequence: string;
}

async function sequencesIn(query: Query): Promise<readonly Sequence[]> {
  const rows = (await query(
    `select class.relname::text, attribute.attname::text,
      pg_get_serial_sequence(format('%I.%I', 'pegboard', class.relname), attribute.attname)
    from pg_class class join pg_namespace space on space.oid = class.relnamespace
      join pg_attribute attribute on attribute.attrelid = class.oid
    where space.nspname = 'pegboard' and class.relkind = 'r' and attribute.attnum > 0 and not attribute.attisdropped`,
  )) as readonly (readonly [string, string, string | null])[];
  return rows.flatMap(([table, column, sequence]) =>
    sequence === null ? [] : [{ table, column, sequence }],
  );
}

async function lastNumbers(query: Query): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map<string, bigint>();
  for (const { table, sequence } of await sequencesIn(query)) {
    const [row] = await query(`select last_value, is_called from ${sequence}`);
    const [last, isCalled] = row as readonly [bigint, bigint];
    if (isCalled === 1n) found.set(table, last);
  }
  return found;
}

function read(oid: number, text: string): Value {
  if (whole.has(oid)) return BigInt(text);
  if (real.has(oid)) return Number(text);
  if (oid === bool) return text === 't' ? 1n : 0n;
  if (oid === bytea) return Uint8Array.from(Buffer.from(text.slice('\\x'.length), 'hex'));
  if (oid !== numeric) return text;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  return String(Number(text)) === text ? Number(text) : text;
}

const toParameter = (value: Value): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Object.is(value, -0)
      ? '-0'
      : typeof value === 'bigint' || typeof value === 'number'
        ? String(value)
        : value;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const isLocked = (cause: unknown): boolean =>
  codeOf(cause) === '55P03' || codeOf((cause as { readonly cause?: unknown } | undefined)?.cause) === '55P03';

const inUse = (name: string): PegboardError =>
  new PegboardError(
    'PEG_BUSY',
    `Another process writes to ${name}. Stop every host that uses it, and try again. Nothing was changed.`,
  );

/** What was not committed is undone by the server. */
async function end(client: PgClient): Promise<void> {
  await client.end().catch(() => {});
}
