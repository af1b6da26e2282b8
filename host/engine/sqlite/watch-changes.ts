import { sql, type Kysely } from 'kysely';
import type { EngineTables } from './tables.ts';

/** Milliseconds between two looks whether another process has written. */
const newsMs = 250;

/** SQLite counts the changes that other processes commit. */
export async function watchChanges(
  db: Kysely<EngineTables>,
  onChange: () => void,
  onError: (cause: unknown) => void,
): Promise<Disposable> {
  let last: number | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const { rows } = await sql<{ readonly data_version: number }>`pragma data_version`.execute(db);
      const now = rows[0]!.data_version;
      if (last !== undefined && last !== now) onChange();
      last = now;
    } catch (cause) {
      onError(cause);
    } finally {
      isLooking = false;
    }
  };
  await look();
  const timer = setInterval(() => void look(), newsMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
