import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../core/errors.ts';

/** SQLite's primary result codes CORRUPT and NOTADB. */
const codes = new Set([11, 26]);
/** What a check says of rows that an older version wrote otherwise: that is no damage. */
const harmless = /^(NULL value in|CHECK constraint failed in) /;

/** Beside the database: a query met damage that opening doesn't, so the next process that opens it checks all of it. */
export const suspicionOf = (path: string): string => `${path}.damaged`;

/** Never fails: what was met is reported in any case. */
export function suspect(path: string): void {
  try {
    writeFileSync(suspicionOf(path), '', { mode: 0o600 });
  } catch {
    // Then the next process that opens it meets the damage again.
  }
}

/** Did SQLite throw this because the file is damaged? */
export function isDamage(cause: unknown): boolean {
  return codes.has(((cause as { readonly errcode?: number } | undefined)?.errcode ?? 0) & 0xff);
}

/**
 * What is wrong with a database, in SQLite's words; undefined when nothing is, or there is none. Reads all of it: about
 * a second for some hundred megabytes. Throws what kept it from reading.
 */
export function damageOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    using database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    const found = database
      .prepare('pragma quick_check(10)')
      .all()
      .map((row) => String(row['quick_check']))
      .filter((line) => line !== 'ok' && !harmless.test(line));
    return found[0]?.replaceAll('\n', '; ');
  } catch (cause) {
    if (isDamage(cause)) return messageOf(cause);
    throw cause;
  }
}
