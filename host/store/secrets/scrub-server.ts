import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Rows of one transaction, after which others can write. */
const batchSize = 200;

/**
 * Redacts texts on a Postgres server in every table: what it reads is redacted where it is written again. `forms` are
 * bytes, since text parameters are redacted as well. A row that would then be the same as another is deleted. Returns
 * how many rows have changed.
 */
export async function scrubServer(database: Kysely<Tables>, forms: readonly Uint8Array[]): Promise<number> {
  const { rows: columns } = await sql<{ table: string; name: string }>`
    select class.relname as table, attribute.attname as name
    from pg_class class join pg_attribute attribute on attribute.attrelid = class.oid
    where class.relnamespace = 'pegboard'::regnamespace and class.relkind = 'r'
      and attribute.atttypid = 'text'::regtype and attribute.attnum > 0 and not attribute.attisdropped
    order by 1, 2`.execute(database);
  let changed = 0;
  for (const { table, name } of columns) {
    for (;;) {
      const { found, left } = await scrubSome(database, table, name, forms);
      changed += found - left;
      if (found < batchSize || left > 0) break;
      await turnOfLoop();
    }
  }
  return changed;
}

async function scrubSome(
  database: Kysely<Tables>,
  name: string,
  column: string,
  forms: readonly Uint8Array[],
): Promise<{ readonly found: number; readonly left: number }> {
  const [table, cell] = [sql.table(name), sql.ref(column)];
  const holds = sql.join(
    forms.map((form) => sql`instr(${cell}, ${form}::bytea) > 0`),
    sql` or `,
  );
  return await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ place: string; text: string }>`
      select ctid::text as place, ${cell} as text from ${table} where ${holds} limit ${batchSize}
      for update`.execute(transaction);
    let left = 0;
    for (const { place, text } of rows) {
      await sql`savepoint before_row`.execute(transaction);
      try {
        const updated = await sql<{ holds: number }>`
          update ${table} set ${cell} = ${text} where ctid = ${place}::tid returning (${holds}) as holds`.execute(
          transaction,
        );
        // The redactor does not know it any more.
        left += updated.rows[0]!.holds;
      } catch (cause) {
        if ((cause as { readonly code?: string }).code !== '23505') throw cause;
        await sql`rollback to before_row`.execute(transaction);
        await sql`delete from ${table} where ctid = ${place}::tid`.execute(transaction);
      }
    }
    return { found: rows.length, left };
  });
}
