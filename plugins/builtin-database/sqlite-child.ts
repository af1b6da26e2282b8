/**
 * A separate process for one statement on one SQLite file, so that it can be killed whatever the statement does. Reads
 * a request as JSON on stdin and writes a response to stdout. Imports nothing of Pegboard.
 */
import { constants, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { readFileSync } from 'node:fs';
import type { Param } from './database.ts';
import { bind } from './placeholders.ts';

export interface ChildRequest {
  readonly path: string;
  readonly sql: string;
  readonly params: readonly Param[];
  readonly writes: boolean;
  readonly maxRows: number;
  readonly maxBytes: number;
}

export type ChildResponse =
  | {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly unknown[])[];
      readonly cut: boolean;
      readonly changed?: number;
    }
  | { readonly failure: string };

const names = Object.entries(constants).filter(([name]) => /^SQLITE_[A-Z_]+$/.test(name));
const numbers = (list: string): ReadonlySet<number> =>
  new Set(
    names.filter(([name]) => list.split(' ').includes(name.slice('SQLITE_'.length))).map(([, code]) => code),
  );

/** The actions that a read statement may perform. Anything else is refused when it is compiled. */
const reading = numbers('SELECT READ FUNCTION RECURSIVE');
/** What virtual tables do to their own shadow tables when opened, even for reading. */
const keepingShadows = numbers('INSERT UPDATE DELETE');
const writing = numbers(
  `SELECT READ FUNCTION RECURSIVE INSERT UPDATE DELETE ALTER_TABLE REINDEX ANALYZE CREATE_INDEX CREATE_TABLE CREATE_TRIGGER
   CREATE_VIEW DROP_INDEX DROP_TABLE DROP_TRIGGER DROP_VIEW`.replaceAll(/\s+/g, ' '),
);
/** SQLite's own functions that access more than values. */
const reaching = new Set(['load_extension', 'fts3_tokenizer']);
/**
 * Pragmas that only return information, by the names of their table-valued functions. Full-text tables need
 * `data_version`.
 */
const telling = new Set(
  'table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list data_version'.split(
    ' ',
  ),
);

function run({ path, sql, params, writes, maxRows, maxBytes }: ChildRequest): ChildResponse {
  using database = new DatabaseSync(path, {
    readOnly: !writes,
    allowExtension: false,
    timeout: 5_000,
    defensive: true,
  });
  const free = writes ? writing : reading;
  const shadows = shadowTablesOf(database);
  database.setAuthorizer((action, first, second) => {
    const isTelling = action === constants.SQLITE_PRAGMA && telling.has((first ?? '').toLowerCase());
    const isReaching = action === constants.SQLITE_FUNCTION && reaching.has((second ?? '').toLowerCase());
    // The statement itself can't write them: the file is opened read-only, and shadow tables are protected.
    const isShadow = keepingShadows.has(action) && shadows.has(first ?? '');
    return (free.has(action) || isTelling || isShadow) && !isReaching
      ? constants.SQLITE_OK
      : constants.SQLITE_DENY;
  });
  if (!isOneStatement(sql)) return { failure: 'only one statement at a time is run' };
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const bound = bind(sql, params.map(toBound));
  if (typeof bound === 'string') return { failure: bound };
  const { named, others } = bound;
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) {
    const { changes } = statement.run(named, ...others);
    return { columns, rows: [], cut: false, changed: Number(changes) };
  }
  const rows: unknown[][] = [];
  let bytes = 0;
  for (const found of statement.iterate(named, ...others) as Iterable<unknown>) {
    const row = (found as unknown[]).map(toJson);
    bytes += Buffer.byteLength(JSON.stringify(row));
    if (rows.length === maxRows || bytes > maxBytes) return { columns, rows, cut: true };
    rows.push(row);
  }
  return { columns, rows, cut: false };
}

/** SQLite compiles only the first statement, but the person was shown the whole text. */
function isOneStatement(sql: string): boolean {
  const token =
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|;|[^\s]/g;
  let ended = false;
  let depth = 0;
  const isTrigger = /^\s*create\s+(temp\s+|temporary\s+)?trigger\b/i.test(sql);
  for (const [part] of sql.matchAll(token)) {
    if (part.startsWith('--') || part.startsWith('/*')) continue;
    if (part === ';') ended = depth === 0 && (!isTrigger || /\bend\s*;\s*$/i.test(sql));
    else if (ended) return isTrigger;
    if (part === '(') depth++;
    if (part === ')') depth--;
  }
  return true;
}

/** The tables behind virtual tables. */
function shadowTablesOf(database: DatabaseSync): ReadonlySet<string> {
  const rows = database.prepare(`select name from pragma_table_list where type = 'shadow'`).all();
  return new Set(rows.map(({ name }) => String(name)));
}

/** A number is bound as written: as a float, 7 would become the text "7.0" in a text column. */
function toBound(param: Param): SQLInputValue {
  if (param === null || typeof param === 'string') return param;
  return /^-?\d+$/.test(param.number) ? BigInt(param.number) : Number(param.number);
}

/** Available in Node 24, but missing from TypeScript's libraries. */
const json = JSON as unknown as { rawJSON(text: string): unknown };

/** JSON can't represent infinite numbers and 64-bit integers: they become strings. */
function toJson(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : String(value);
  // A float, as SQLite prints it.
  if (Number.isSafeInteger(value)) return json.rawJSON(`${value as number}.0`);
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return value;
}

function reply(): ChildResponse {
  try {
    return run(JSON.parse(readFileSync(0, 'utf8')) as ChildRequest);
  } catch (cause) {
    return { failure: (cause as Error).message };
  }
}

process.stdout.write(JSON.stringify(reply()));
