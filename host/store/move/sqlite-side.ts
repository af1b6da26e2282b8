import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { PegboardError } from '../../core/errors.ts';
import { explainDatabaseError, isBusy } from '../database/errors.ts';
import {
  batchBytes,
  bookkeeping,
  sizeOf,
  type Row,
  type SourceSide,
  type TableShape,
  type TargetSide,
} from './side.ts';

/** On Postgres, the queues are tables of pg-boss. */
const queues: ReadonlySet<string> = new Set(['engine_hosts', 'engine_jobs']);

const maxRows = 1_000;
const busyTimeoutMs = 5_000;

/** Opens a file that exists and is up to date. Throws PEG_DATABASE. */
export function openSqliteSide(path: string): SourceSide & TargetSide {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
  const rowsOf = (text: string, ...values: SQLInputValue[]): readonly Row[] => {
    try {
      const statement = database.prepare(text);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return statement.all(...values) as unknown as readonly Row[];
    } catch (cause) {
      throw explainDatabaseError(path, cause);
    }
  };
  return {
    kind: 'sqlite',
    tables: () => Promise.resolve(tablesIn(rowsOf)),
    countOf: (table) => Promise.resolve(Number(rowsOf(`select count(*) from ${quoted(table)}`)[0]![0])),
    async *read(table, columns) {
      const statement = database.prepare(`select ${columns.map(quoted).join(', ')} from ${quoted(table)}`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      let batch: Row[] = [];
      let size = 0;
      for (const row of statement.iterate() as unknown as Iterable<Row>) {
        batch.push(row);
        size += sizeOf(row);
        if (size < batchBytes && batch.length < maxRows) continue;
        yield batch;
        batch = [];
        size = 0;
      }
      if (batch.length > 0) yield batch;
    },
    lastNumbers: () => {
      const isThere = rowsOf("select 1 from sqlite_schema where name = 'sqlite_sequence'").length > 0;
      const rows = isThere ? rowsOf('select name, seq from sqlite_sequence') : [];
      return Promise.resolve(new Map(rows.map(([name, last]) => [name as string, last as bigint])));
    },
    lock() {
      try {
        database.exec('begin immediate');
        return Promise.resolve();
      } catch (cause) {
        return Promise.reject(isBusy(cause) ? inUse(path) : explainDatabaseError(path, cause));
      }
    },
    async fill(work) {
      // What is confirmed has to survive a power cut: the other side is given up afterwards.
      database.exec('pragma synchronous = full; begin immediate');
      try {
        await work();
        const [broken] = rowsOf('pragma foreign_key_check');
        if (broken) throw new Error(`a row of the table ${String(broken[0])} refers to one that is missing`);
        database.exec('commit');
      } catch (cause) {
        if (database.isTransaction) database.exec('rollback');
        throw explainDatabaseError(path, cause);
      }
    },
    insert(table, columns, rows) {
      const statement = database.prepare(
        `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) statement.run(...row);
      return Promise.resolve();
    },
    setLastNumbers(numbers) {
      const counted = rowsOf(
        `select name from sqlite_schema where type = 'table' and sql like '%autoincrement%'`,
      );
      const update = database.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?');
      const insert = database.prepare('insert into sqlite_sequence (seq, name) values (?, ?)');
      for (const [name] of counted as readonly (readonly [string])[]) {
        const last = numbers.get(name);
        if (last !== undefined && update.run(last, name).changes === 0) insert.run(last, name);
      }
      return Promise.resolve();
    },
    flush() {
      database.exec('pragma synchronous = full; pragma wal_checkpoint(truncate)');
      return Promise.resolve();
    },
    empty(tables) {
      const there = tablesIn(rowsOf).filter(({ name }) => tables.includes(name));
      database.exec(`begin; ${there.map(({ name }) => `delete from ${quoted(name)};`).join(' ')} commit`);
      return Promise.resolve();
    },
    [Symbol.asyncDispose]() {
      if (database.isTransaction) database.exec('rollback');
      database.close();
      return Promise.resolve();
    },
  };
}

function tablesIn(
  rowsOf: (text: string, ...values: SQLInputValue[]) => readonly Row[],
): readonly TableShape[] {
  const rows = rowsOf(
    `select name, type, wr from pragma_table_list
    where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite\\_%' escape '\\' order by name`,
  );
  const isRecorded = rowsOf("select 1 from sqlite_schema where name = 'plugin_objects'").length > 0;
  const owners = new Map(
    (isRecorded ? rowsOf('select object, plugin from plugin_objects') : []) as readonly [string, string][],
  );
  return (rows as readonly (readonly [string, string, bigint])[])
    .filter(([name]) => !bookkeeping.has(name) && !queues.has(name))
    .map(([name, type, withoutRowid]) => ({
      name,
      columns: rowsOf('select name from pragma_table_xinfo(?) where hidden = 0', name).map(
        ([column]) => column as string,
      ),
      owner: owners.get(`table ${name}`),
      hasRowid: withoutRowid === 0n,
      isVirtual: type === 'virtual',
    }));
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const inUse = (path: string): PegboardError =>
  new PegboardError(
    'PEG_BUSY',
    `Another process writes to ${path}. Stop every Pegboard of this home, and try again. Nothing was changed.`,
  );
