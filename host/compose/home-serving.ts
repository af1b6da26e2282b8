import type { User } from '../core/platform/places.ts';
import type { Database } from '../store/database/database.ts';
import type { SharedServing } from '../store/serving/shared-serving.ts';
import { isOnPostgres, writtenDatabase } from './home-database.ts';
import { resolverOf } from './home-secrets.ts';

/** What MCP servers that use this database have in common; undefined for a file, which one server has for itself. */
export async function sharedServingOf(database: Database): Promise<SharedServing | undefined> {
  if (!isOnPostgres(database)) return undefined;
  const { createSharedServing } = await import('../store/serving/shared-serving.ts');
  return createSharedServing(database);
}

/** The same for commands without a host, by what the files of a home say now. Throws PEG_CONFIG. */
export async function withSharedServing<Result>(
  home: string,
  user: User,
  work: (shared: SharedServing | undefined) => Promise<Result>,
): Promise<Result> {
  await using database = writtenDatabase(home, resolverOf(home, user));
  return await work(await sharedServingOf(database));
}
