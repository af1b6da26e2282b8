import { sql, type Kysely } from 'kysely';
import type { Artifacts } from '../../api/store/artifacts.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/schema.ts';
import { artifactLimits, artifactReader, newArtifactId } from './artifacts.ts';

/** Rows on a Postgres server, for all hosts of a state. */
export function createSharedArtifacts(database: Database, limits = artifactLimits): Artifacts {
  return {
    async write(content) {
      const db = await database.open();
      const bytes = Buffer.byteLength(content);
      await deleteOldestRows(db, bytes, { limits });
      const id = newArtifactId();
      const written_at = new Date().toISOString();
      await db.insertInto('artifacts').values({ id, content, bytes, written_at }).execute();
      return id;
    },
    read: artifactReader(async (id) => {
      const db = await database.open();
      const row = await db.selectFrom('artifacts').select('content').where('id', '=', id).executeTakeFirst();
      return row?.content;
    }),
  };
}

/** Removes artifacts that are too old, then the oldest ones until `coming` more bytes fit; returns how many. */
export async function deleteOldestRows(
  database: Kysely<Tables>,
  coming: number,
  { limits = artifactLimits, now = Date.now() } = {},
): Promise<number> {
  const oldest = new Date(now - limits.ageMs).toISOString();
  const { numAffectedRows = 0n } = await sql`
    delete from artifacts where id in (
      select id from (
        select id, written_at, sum(bytes) over (order by written_at desc, id) as kept from artifacts
      ) as newest_first
      where written_at < ${oldest} or kept + ${coming}::bigint > ${limits.bytes}::bigint
    )`.execute(database);
  return Number(numAffectedRows);
}
