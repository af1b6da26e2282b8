import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asSentence, isExact, parseJson, PegboardError, toJson } from 'pegboard';
import { childEnvironment, runProcess } from 'pegboard/processes';
import type { Surroundings } from 'pegboard';
import type { Limits } from './config.ts';
import { didYouMean, type SqlDatabase, type Param, type Rows, type Statement } from './database.ts';
import type { ChildResponse, ChildRequest } from './sqlite-child.ts';
import type { SqliteFile } from './sqlite-file.ts';

const isSource = new URL(import.meta.url).pathname.endsWith('.ts');
const child = fileURLToPath(new URL(isSource ? './sqlite-child.ts' : './sqlite-child.js', import.meta.url));

/** Where this process keeps compiled code: with it a child takes half the time in a clone, where its code is TypeScript. */
function compileCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  // Node's own folder is one for its version, in the one that it was given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** `open` checks the file again before each statement. */
export function sqliteDatabase(
  open: () => Promise<SqliteFile>,
  { env }: Pick<Surroundings, 'env'>,
): SqlDatabase {
  const run = async (
    { sql, params }: Statement,
    limits: Limits,
    signal: AbortSignal,
    writes = false,
  ): Promise<Rows & { readonly changed?: number }> => {
    const { path, name, exists } = await open();
    if (!exists && !writes) throw new PegboardError('PEG_TOOL_FAILED', `There is no database ${name} yet.`);
    refuseRounded(params);
    const { maxRows, maxBytes, timeout } = limits;
    const request: ChildRequest = { path, sql, params, writes, maxRows, maxBytes };
    const { stdout, ended, exitCode, stderr } = await runProcess({
      argv: [process.execPath, '--disable-warning=ExperimentalWarning', '--max-old-space-size=256', child],
      cwd: dirname(path),
      environment: { ...childEnvironment(env), ...compileCache() },
      stdin: toJson(request),
      timeoutMs: timeout,
      signal,
      maxBytes: maxBytes * 2 + 1_000_000,
    });
    if (ended === 'aborted') throw signal.reason;
    if (ended === 'timeout')
      throw new PegboardError('PEG_TIMEOUT', `The statement took longer than ${timeout / 1_000} s.`);
    if (exitCode !== 0)
      throw new PegboardError(
        'PEG_TOOL_FAILED',
        `The statement was ended: ${stderr.trim().split('\n').at(-1) || 'without a reason'}`,
      );
    const reply = parseJson(stdout) as ChildResponse;
    if ('failure' in reply)
      throw new PegboardError(
        'PEG_TOOL_FAILED',
        `SQLite refuses the statement: ${explain(reply.failure, writes)}.${await nearTable(reply.failure, limits, signal)}`,
      );
    return reply as Rows & { readonly changed?: number };
  };
  /** A hint with the name that a missing table may be a misspelling of. */
  const nearTable = async (failure: string, limits: Limits, signal: AbortSignal): Promise<string> => {
    const [, table] = /^no such table: (?:main\.)?(.+)$/.exec(failure) ?? [];
    return table === undefined ? '' : didYouMean(table, await tables(limits, signal));
  };
  const tables: SqlDatabase['tables'] = async (limits, signal) => {
    if (!(await open()).exists) return { columns: ['name', 'type'], rows: [], cut: false };
    const sql = `select name, type from pragma_table_list where schema = 'main' and type <> 'shadow' and name not like 'sqlite\\_%' escape '\\' order by name`;
    return await run({ sql, params: [] }, limits, signal);
  };
  return {
    name: async () => (await open()).name,
    read: (statement, limits, signal) => run(statement, limits, signal),
    write: (statement, limits, signal) => run(statement, limits, signal, true),
    tables,
    columns: (table, limits, signal) =>
      run(
        {
          sql: 'select name, type, "notnull" = 0 as nullable, pk > 0 as "primary key", dflt_value as "default" from pragma_table_info(?)',
          params: [table],
        },
        limits,
        signal,
      ),
  };
}

/** SQLite's numbers are 64-bit integers and JavaScript's floats. */
function refuseRounded(params: readonly Param[]): void {
  for (const [at, param] of params.entries()) {
    if (param === null || typeof param === 'string') continue;
    const { number } = param;
    const isWhole = /^-?\d+$/.test(number);
    const isKept = isWhole ? BigInt.asIntN(64, BigInt(number)) === BigInt(number) : isExact(number);
    if (isKept) continue;
    const why =
      isWhole || !Number.isFinite(Number(number))
        ? 'is too large for a number of SQLite'
        : 'has more digits than a number of SQLite can keep';
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `params.${at} is ${number.slice(0, 80)}, which ${asSentence(why)} Write it as text.`,
    );
  }
}

const explain = (failure: string, writes: boolean): string =>
  /not authorized|authorization denied|readonly database/.test(failure)
    ? `${failure} (${writes ? 'other files and settings of the database are out of reach' : 'only what reads is run: select, with, values, explain'})`
    : failure;
