import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';
import { redactFunction } from '../database/sqlite.ts';

/** Maximum rows of one statement: a few milliseconds, after which other work gets its turn. */
const batchSize = 2_000;

/**
 * Redacts a text in every table, after it became known as a secret. Virtual tables are skipped: their creators update
 * them. Paused calls can't be searched, so they are deleted. Returns how many rows have changed.
 */
export async function scrubSecret(database: Kysely<Tables>, text: string): Promise<number> {
  // As bytes, since text parameters are themselves redacted.
  const forms = [...new Set([text, JSON.stringify(text).slice(1, -1)])].map((form) => Buffer.from(form));
  const { numDeletedRows } = await database.deleteFrom('paused_calls').executeTakeFirst();
  const forgotten = Number(numDeletedRows);
  if (dialectOf(database).kind === 'postgres') {
    const { scrubServer } = await import('./scrub-server.ts');
    return forgotten + (await scrubServer(database, forms));
  }
  let changed = forgotten;
  for (const { name, columns, hasRowid } of await ordinaryTables(database)) {
    for (const column of columns) {
      const [table, cell] = [sql.table(name), sql.ref(column)];
      const holds = sql.join(
        forms.map((form) => sql`instr(${cell}, ${form}) > 0`),
        sql` or `,
      );
      const redacted = sql`update or replace ${table} set ${cell} = ${sql.raw(redactFunction)}(${cell})`;
      if (!hasRowid) {
        const { numAffectedRows = 0n } = await sql`${redacted} where ${holds}`.execute(database);
        changed += Number(numAffectedRows);
        continue;
      }
      const last = await sql<{ last: number | null }>`select max(rowid) as last from ${table}`.execute(
        database,
      );
      for (let from = 0; from <= (last.rows[0]?.last ?? -1); from += batchSize) {
        const { numAffectedRows = 0n } = await sql`
            ${redacted} where rowid >= ${from} and rowid < ${from + batchSize} and (${holds})`.execute(
          database,
        );
        changed += Number(numAffectedRows);
        await turnOfLoop();
      }
    }
  }
  return changed;
}

interface OrdinaryTable {
  readonly name: string;
  /** Tables and columns that contain texts. */
  readonly columns: readonly string[];
  readonly hasRowid: boolean;
}

async function ordinaryTables(database: Kysely<Tables>): Promise<readonly OrdinaryTable[]> {
  const { rows } = await sql<{ name: string; wr: number }>`
    select name, wr from pragma_table_list
    where schema = 'main' and type = 'table' and name not like 'sqlite~_%' escape '~'`.execute(database);
  const tables: OrdinaryTable[] = [];
  for (const { name, wr } of rows) {
    const found = await sql<{ name: string }>`
      select name from pragma_table_info(${name}) where upper(type) = 'TEXT'`.execute(database);
    tables.push({ name, columns: found.rows.map((column) => column.name), hasRowid: wr === 0 });
  }
  return tables;
}
