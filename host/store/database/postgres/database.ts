import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { PegboardError } from '../../../core/errors.ts';
import type { Database } from '../database.ts';
import type { Tables } from '../schema.ts';
import type { PluginMigration } from '../../../api/plugin.ts';
import { nameOfPostgres } from './address.ts';
import { explainPostgresError } from './errors.ts';
import type { Migrations } from '../tables/migrations.ts';

/** A database on a Postgres server, which several hosts may share. */
export interface PostgresDatabase extends Database {
  /** With its password. */
  readonly url: string;
  /**
   * The connections of all that is stored. What uses them directly redacts nothing, and sees the tables of the schema
   * `pegboard`. Throws PEG_DATABASE.
   */
  pool(): Promise<Pool>;
}

export interface PostgresOptions {
  /** Removes secrets from every text that is written. Default: texts are written unchanged. */
  readonly redact?: (text: string) => string;
  readonly migrations?: Migrations;
}

interface Opened {
  readonly pool: Pool;
  readonly kysely: Kysely<Tables>;
  readonly presence: AsyncDisposable;
}

/**
 * `url` is that of `state` in pegboard.yaml. Nothing is loaded or connected before the first use. Throws PEG_CONFIG when
 * it isn't the address of a Postgres. Disposing closes the connections; later calls throw PEG_DATABASE.
 */
export function createPostgresDatabase(url: string, options: PostgresOptions = {}): PostgresDatabase {
  const name = nameOfPostgres(url);
  const { redact = (text) => text, migrations } = options;
  let opening: Promise<Opened> | undefined;
  let closed = false;

  const opened = async (): Promise<Opened> => {
    if (closed)
      throw new PegboardError('PEG_DATABASE', `The database ${name} was closed: the host has ended.`);
    opening ??= connect(url, name, redact, migrations).catch((cause: unknown) => {
      opening = undefined;
      throw cause;
    });
    return await opening;
  };
  const open = async (): Promise<Kysely<Tables>> => (await opened()).kysely;

  return {
    name,
    url,
    open,
    existing: open,
    isThere: () => true,
    checkMigrations(plugin, scripts) {
      for (const script of scripts) requirePostgresText(plugin, script);
    },
    pool: async () => (await opened()).pool,
    async openFor(owner, scripts) {
      const { pool, kysely } = await opened();
      if (scripts.length === 0) return kysely;
      const { migratePlugin } = await import('./plugin-tables.ts');
      await migratePlugin(pool, name, owner, scripts);
      return kysely;
    },
    async purge() {
      const { pool } = await opened();
      const { vacuum } = await import('./vacuum.ts');
      await vacuum(pool, name);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const last = await opening?.catch(() => undefined);
      if (!last) return;
      await last.presence[Symbol.asyncDispose]();
      await last.kysely.destroy();
      // Kysely leaves one open that it was never asked about.
      if (!last.pool.ending) await last.pool.end();
    },
  };
}

function requirePostgresText(plugin: string, migration: PluginMigration): void {
  if (typeof migration !== 'string') return;
  throw new PegboardError(
    'PEG_DATABASE',
    `The plugin ${plugin} keeps tables, but its migrations are written for SQLite alone, and the state of this home is on Postgres. Write each of them as { sqlite, postgres }, or disable the plugin.`,
  );
}

async function connect(
  url: string,
  name: string,
  redact: (text: string) => string,
  migrations: Migrations | undefined,
): Promise<Opened> {
  const [
    { createPool, toKyselyPool },
    { migrate },
    { postgresMigrations },
    { createKysely },
    { showPresence },
  ] = await Promise.all([
    import('./pool.ts'),
    import('./migrate.ts'),
    import('../tables/migrations.ts'),
    import('./kysely.ts'),
    import('./presence.ts'),
  ]);
  const pool = await createPool(url);
  try {
    const client = await pool.connect();
    try {
      await migrate(client, name, migrations ?? postgresMigrations);
    } finally {
      client.release();
    }
    const presence = await showPresence(pool);
    return { pool, presence, kysely: createKysely(toKyselyPool(pool, { name, redact })) };
  } catch (cause) {
    await pool.end();
    throw explainPostgresError(name, cause);
  }
}
