import { postgresTables, sqliteTables } from './tables.ts';

/** Scripts that run once each, in order: the first makes the tables of the version `first`, the next those of the next. */
export interface Migrations {
  readonly first: number;
  readonly scripts: readonly string[];
}

/** Earlier versions were never released. */
const first = 23;

/** What later versions change, on each kind of database. Once it is released, a script is never edited. */
const later: readonly { readonly sqlite: string; readonly postgres: string }[] = [];

export const sqliteMigrations: Migrations = {
  first,
  scripts: [sqliteTables, ...later.map(({ sqlite }) => sqlite)],
};
export const postgresMigrations: Migrations = {
  first,
  scripts: [postgresTables, ...later.map(({ postgres }) => postgres)],
};

export const newestOf = ({ first: oldest, scripts }: Migrations): number => oldest + scripts.length - 1;

/** Those that a database of this version lacks. 0: it has no tables. */
export const missingFrom = (version: number, { first: oldest, scripts }: Migrations): readonly string[] =>
  scripts.slice(version === 0 ? 0 : version - oldest + 1);

/** Why a database of this version can't be used; undefined: it can. A sentence. */
export function versionProblem(what: string, version: number, known: Migrations): string | undefined {
  const newest = newestOf(known);
  if (version > newest)
    return `The database ${what} was written by a newer Pegboard: its version is ${version}, and this one knows ${newest}. Update Pegboard, or use another home.`;
  if (version > 0 && version < known.first)
    return `The database ${what} is from before the first release of Pegboard: its version is ${version}, and this one knows ${known.first} and later. Use another home, or move the file away to begin with an empty one.`;
  return undefined;
}
