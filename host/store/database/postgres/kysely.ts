import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  replaceWithNoncontingentExpression,
  type PostgresPool,
} from 'kysely';
import { postgresMark } from '../dialect.ts';
import type { Tables } from '../schema.ts';

/** SQLite takes `in ()`, and Postgres does not. */
const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

class MarkedAdapter extends PostgresAdapter {
  readonly [postgresMark] = true;
}

class MarkedDialect extends PostgresDialect {
  override createAdapter(): MarkedAdapter {
    return new MarkedAdapter();
  }
}

export const createKysely = (pool: PostgresPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new MarkedDialect({ pool }), plugins: [emptyLists] });
