import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../core/errors.ts';

/** SQLite's primary result codes CORRUPT and NOTADB. */
const codes = new Set([11, 26]);
/** What a check reports of rows in the format of an older version, which is not damage. */
const harmless = /^(NULL value in|CHECK constraint failed in) /;

/**
 * A file next to the database, written when a query found damage that opening doesn't detect. The next process checks
 * the whole database.
 */
export const damageMarkerOf = (path: string): string => `${path}.damaged`;

/** Never fails, since the damage is reported anyway. */
export function markDamaged(path: string): void {
  try {
    writeFileSync(damageMarkerOf(path), '', { mode: 0o600 });
  } catch {
    // The next process that opens the database will find the damage again.
  }
}

/** Whether SQLite threw this because the file is damaged. */
export function isDamage(cause: unknown): boolean {
  return codes.has(((cause as { readonly errcode?: number } | undefined)?.errcode ?? 0) & 0xff);
}

/**
 * The damage of a database as reported by SQLite. Undefined if there is none, or no database. Reads all of it: about a
 * second for some hundred megabytes. Throws when it can't be read.
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
