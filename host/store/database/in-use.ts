import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Whether another connection has the database open: of this process or another one. A damaged one counts as not open. */
export function isInUse(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    using database = new DatabaseSync(path, { timeout: 1_000 });
    // Whoever has it open holds a shared lock on it.
    database.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
    return false;
  } catch (cause) {
    return /database is locked/.test(String(cause));
  }
}
