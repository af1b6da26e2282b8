import type { History, StoredMessage } from 'pegboard';
import type { Kysely } from 'kysely';
import { getMemory, sourcesOf, versionsBefore, type Memory } from '../memories.ts';
import { toObservation, type Observation } from '../worker/observations.ts';
import type { MemoryTables } from '../tables.ts';

type Db = Kysely<MemoryTables>;

/** Where a memory comes from. */
export interface Why {
  readonly memory: Memory;
  /** The memories that it supersedes, latest first. */
  readonly before: readonly Memory[];
  /** The observations that it was promoted from. */
  readonly observations: readonly Observation[];
  /** The messages that it and its earlier versions came from, in order. */
  readonly messages: readonly StoredMessage[];
}

/** Undefined when there is no such memory. Works for forgotten and superseded ones too. */
export async function explainMemory(database: Db, history: History, id: number): Promise<Why | undefined> {
  const memory = await getMemory(database, id);
  if (!memory) return undefined;
  const earlier = await versionsBefore(database, id);
  const before = await Promise.all(earlier.map((each) => getMemory(database, each)));
  const sources = await Promise.all([id, ...earlier].map((each) => sourcesOf(database, each)));
  const messages = await Promise.all(
    [...new Set(sources.flat())].sort((a, b) => a - b).map((message) => history.message(message)),
  );
  const observations = await database
    .selectFrom('memory_observations')
    .selectAll()
    .where('memory_id', '=', id)
    .orderBy('id')
    .execute();
  return {
    memory,
    before: before.filter((each) => each !== undefined),
    observations: observations.map(toObservation),
    messages: messages.filter((message) => message !== undefined),
  };
}
