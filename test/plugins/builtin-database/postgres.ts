import { Client } from 'pg';
import { startPglite, type Pglite } from '../../kit/pglite.ts';
import { hasPostgres } from '../../kit/postgres-programs.ts';
import { postgresUrl } from '../../kit/postgres.ts';

/** Where Postgres is installed, the server of the test run, which other tests need too; elsewhere PGlite. */
export const openPostgres = (): Promise<Pglite> =>
  hasPostgres
    ? Promise.resolve({ open: openOnServer, [Symbol.asyncDispose]: () => Promise.resolve() })
    : startPglite();

const openOnServer: Pglite['open'] = async (setup) => {
  const url = await postgresUrl();
  const owner = new Client({ connectionString: url });
  await owner.connect();
  await owner.query(setup);
  return {
    url,
    query: async (sql) => (await owner.query(sql)).rows,
    [Symbol.asyncDispose]: () => owner.end(),
  };
};
