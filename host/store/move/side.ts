/** Exact on both sides: whole numbers are `bigint`, others `number`. */
export type Value = null | bigint | number | string | Uint8Array;
export type Row = readonly Value[];

export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** The plugin that has made it; undefined: the host, or a plugin of a version that recorded nothing. */
  readonly owner: string | undefined;
  /** SQLite numbers the rows itself, in a column `rowid` that is not listed. */
  readonly hasRowid: boolean;
  /** Made by SQLite from other tables, as a full-text index is. */
  readonly isVirtual: boolean;
}

/** One of the two databases of a move, on a connection of its own. Disposing undoes what was not committed. */
export interface Side extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres';
  /** Of the host and of all plugins, without `bookkeeping`. None: nothing was created. */
  tables(): Promise<readonly TableShape[]>;
  countOf(table: string): Promise<number>;
  /** All rows, in batches of about a megabyte. */
  read(table: string, columns: readonly string[]): AsyncIterable<readonly Row[]>;
  /** The last number that was given to a row, by table. Later rows get greater ones, also when that row is deleted. */
  lastNumbers(): Promise<ReadonlyMap<string, bigint>>;
}

export interface SourceSide extends Side {
  /** From now on, nobody writes until this side is disposed, and what is read is the state of this moment. */
  lock(): Promise<void>;
}

export interface TargetSide extends Side {
  /**
   * Runs `work` in one transaction. References between rows are checked at its end. Anything thrown undoes all of it.
   */
  fill(work: () => Promise<void>): Promise<void>;
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  /** Within `fill`, after the rows. */
  setLastNumbers(numbers: ReadonlyMap<string, bigint>): Promise<void>;
  /** What was written by then survives a power cut. */
  flush(): Promise<void>;
  /** Removes all rows of these tables, which other tables don't refer to. */
  empty(tables: readonly string[]): Promise<void>;
}

/** In which the host keeps versions and owners of tables, which migrations write, and what hosts note for each other. */
export const bookkeeping: ReadonlySet<string> = new Set([
  'schema_version',
  'plugin_versions',
  'plugin_objects',
  'processes',
  'host_files',
  'mcp_texts',
  'mcp_ended_sessions',
  'mcp_logins',
  'mcp_hosts',
  'mcp_mail',
]);

/** About how much is read at once. */
export const batchBytes = 1_000_000;

/** About how much memory a row takes. */
export const sizeOf = (row: Row): number =>
  row.reduce<number>(
    (size, value) => size + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  );
