import { expect, test } from 'vitest';
import { PegboardSqliteDialect } from '../../../../host/store/database/sqlite-dialect.ts';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { toKyselyDatabase } from '../../../../host/store/database/sqlite.ts';

interface Tables {
  readonly things: { readonly id: number; readonly state: string; readonly name: string };
}

test('what a plan may depend on is a part of the statement, and nothing else is', async () => {
  const raw = new DatabaseSync(':memory:');
  const options = { explain: (cause: unknown) => cause, redact: (text: string) => text };
  await using database = new Kysely<Tables>({
    dialect: new PegboardSqliteDialect({ database: toKyselyDatabase(raw, options) }),
  });
  const things = database.selectFrom('things').select('id');
  const written = (query: { compile(): { sql: string; parameters: readonly unknown[] } }) => {
    const { sql, parameters } = query.compile();
    return [sql, parameters];
  };
  expect(written(things.where('things.state', '=', 'open').where('name', '=', 'x').limit(5))).toEqual([
    `select "id" from "things" where "things"."state" = 'open' and "name" = ? limit 5`,
    ['x'],
  ]);
  expect(written(things.where('state', 'not in', ['open', "it's"]))).toEqual([
    `select "id" from "things" where "state" not in ('open', 'it''s')`,
    [],
  ]);
  expect(written(database.updateTable('things').set({ state: 'done' }).where('state', '!=', 'done'))).toEqual(
    [`update "things" set "state" = ? where "state" != 'done'`, ['done']],
  );
  raw.exec('create table things (id integer primary key, state text, name text)');
  raw.exec("insert into things (state, name) values ('open', 'a'), ('it''s', 'b'), ('done', 'c')");
  expect(await things.where('state', 'in', ['open', "it's"]).orderBy('id').limit(1).execute()).toEqual([
    { id: 1 },
  ]);
});
