import { PegboardError, messageOf } from '../../core/errors.ts';
import { pegboard } from '../../core/own-command.ts';
import { createDigester, type Digest } from './digest.ts';
import type { Row, Side, SourceSide, TableShape, TargetSide } from './side.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Those that the copy has null in. */
  readonly emptied: ReadonlySet<string>;
}

export interface CopyRules {
  /** Columns with ids of jobs: "channel_events.job". */
  readonly jobs: ReadonlySet<string>;
  /** Tables that are made from others. */
  readonly indexes: ReadonlySet<string>;
  /** The plugins that run. */
  readonly plugins: ReadonlySet<string>;
}

/** The tables whose rows are copied. */
export const ownTables = (tables: readonly TableShape[], { indexes }: CopyRules): readonly TableShape[] =>
  tables.filter(({ name }) => !indexes.has(name));

/**
 * The tables of both sides, which were migrated by the same code. Throws PEG_USAGE for rows that the target has no place
 * for.
 */
export async function matchTables(
  source: Side,
  target: Side,
  rules: CopyRules,
): Promise<readonly CopiedTable[]> {
  const there = new Map((await target.tables()).map((table) => [table.name, table]));
  const matched: CopiedTable[] = [];
  for (const table of ownTables(await source.tables(), rules)) {
    const other = there.get(table.name);
    const columns = other ? [...new Set([...table.columns, ...other.columns])] : [];
    const isMissing = table.owner !== undefined && !rules.plugins.has(table.owner);
    const fits =
      other !== undefined &&
      !isMissing &&
      !table.isVirtual &&
      !other.isVirtual &&
      columns.every((column) => hasColumn(table, column) && hasColumn(other, column));
    if (fits) {
      const emptied = columns.filter((column) => rules.jobs.has(`${table.name}.${column}`));
      matched.push({ name: table.name, columns, emptied: new Set(emptied) });
    } else if ((await source.countOf(table.name)) > 0) throw cannotBeMoved(table, isMissing);
  }
  return matched;
}

const hasColumn = (table: TableShape, column: string): boolean =>
  table.columns.includes(column) || (table.hasRowid && column === 'rowid');

function cannotBeMoved({ name, owner, isVirtual }: TableShape, isMissing: boolean): PegboardError {
  const plugin = owner === undefined ? 'its plugin' : `the plugin ${owner}`;
  const why = isMissing
    ? `has rows of ${plugin}, which doesn't run: enable or repair it (\`${pegboard} plugins\` says why), or remove the table`
    : isVirtual
      ? `is an index, and ${plugin} does not say how it is moved: update the plugin`
      : `has rows, and ${plugin} makes no such table in the other database: start a host once, so that it brings its tables up to date`;
  return new PegboardError('PEG_USAGE', `The table ${name} ${asSentence(why)} Nothing was changed.`);
}

export interface CopyOptions {
  readonly signal: AbortSignal;
  /** Called before the rows of each table that has some. */
  readonly onTable?: (name: string) => void;
}

export interface Copied {
  readonly name: string;
  readonly rows: number;
  /** Of texts with the character 0, which Postgres can't store: it is U+FFFD there, as in everything that a host writes. */
  readonly replaced: number;
}

/**
 * Copies all rows in one transaction of the target, reads them back, and compares them. Throws PEG_DATABASE when the two
 * differ in a table; then the target is as it was.
 */
export async function copyTables(
  source: SourceSide,
  target: TargetSide,
  tables: readonly CopiedTable[],
  { signal, onTable = () => {} }: CopyOptions,
): Promise<readonly Copied[]> {
  const copied: Copied[] = [];
  await target.fill(async () => {
    for (const table of tables) {
      const digester = createDigester();
      const forTarget = createConversion(table, target);
      let isTold = false;
      for await (const rows of source.read(table.name, table.columns)) {
        signal.throwIfAborted();
        if (!isTold && rows.length > 0) onTable(table.name);
        isTold ||= rows.length > 0;
        const converted = rows.map(forTarget.convert);
        for (const row of converted) digester.add(row);
        try {
          await target.insert(table.name, table.columns, converted);
        } catch (cause) {
          throw cause instanceof PegboardError ? cause : refusedRow(table.name, cause);
        }
      }
      const expected = digester.result();
      const found = await digestOf(target, table, signal);
      if (found.rows !== expected.rows || found.hash !== expected.hash)
        throw differs(table.name, expected, found);
      copied.push({ name: table.name, rows: expected.rows, replaced: forTarget.replaced() });
    }
    await target.setLastNumbers(await source.lastNumbers());
  });
  return copied;
}

/** Whether the target has the very rows that copying would give it. */
export async function isCopied(
  source: SourceSide,
  target: TargetSide,
  tables: readonly CopiedTable[],
  signal: AbortSignal,
): Promise<readonly Copied[] | undefined> {
  const copied: Copied[] = [];
  let isSame = true;
  // Postgres reads piece by piece only within a transaction.
  await target.fill(async () => {
    for (const table of tables) {
      const digester = createDigester();
      const forTarget = createConversion(table, target);
      for await (const rows of source.read(table.name, table.columns))
        for (const row of rows) digester.add(forTarget.convert(row));
      const [one, other] = [digester.result(), await digestOf(target, table, signal)];
      isSame &&= one.rows === other.rows && one.hash === other.hash;
      if (!isSame) return;
      copied.push({ name: table.name, rows: one.rows, replaced: forTarget.replaced() });
    }
  });
  return isSame ? copied : undefined;
}

async function digestOf(side: Side, { name, columns }: CopiedTable, signal: AbortSignal): Promise<Digest> {
  const digester = createDigester();
  for await (const rows of side.read(name, columns)) {
    signal.throwIfAborted();
    for (const row of rows) digester.add(row);
  }
  return digester.result();
}

/** A row as the target stores it. */
function createConversion(
  { columns, emptied }: CopiedTable,
  { kind }: Side,
): { readonly convert: (row: Row) => Row; readonly replaced: () => number } {
  let replaced = 0;
  const convert = (row: Row): Row =>
    row.map((value, at) => {
      if (emptied.has(columns[at]!)) return null;
      if (kind !== 'postgres' || typeof value !== 'string' || !value.includes('\0')) return value;
      replaced++;
      return value.replaceAll('\0', '\uFFFD');
    });
  return { convert, replaced: () => replaced };
}

const differs = (table: string, expected: Digest, found: Digest): PegboardError =>
  new PegboardError(
    'PEG_DATABASE',
    `The copy of the table ${table} differs from it: ${expected.rows} rows (${expected.hash.slice(0, 12)}) became ${found.rows} (${found.hash.slice(0, 12)}). Nothing was changed.`,
  );

const refusedRow = (table: string, cause: unknown): PegboardError =>
  new PegboardError(
    'PEG_DATABASE',
    `The other database refuses a row of the table ${table}: ${asSentence(messageOf(cause))} Nothing was changed.`,
    { cause },
  );
