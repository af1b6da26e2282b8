import type { History, StoredMessage } from 'pegboard';
import type { Kysely } from 'kysely';
import { relationsOf, type Edge } from '../graph/graph.ts';
import { getMemory, sourcesOf, versionsBefore, type Memory } from '../memories.ts';
import type { MemoryTables } from '../tables.ts';
import { observationsContaining, type Observation } from '../worker/observations.ts';

/** What goes when a memory is forgotten. */
export interface ForgottenAlong {
  /** It and its earlier versions. */
  readonly memories: readonly Memory[];
  readonly observations: readonly Observation[];
  readonly relations: readonly Edge[];
  /** They stay in the history and are no longer found. */
  readonly messages: readonly StoredMessage[];
}

/** Undefined when there is no such memory. Nothing is left of one that was forgotten before. */
export async function forgottenAlong(
  database: Kysely<MemoryTables>,
  history: History,
  id: number,
): Promise<ForgottenAlong | undefined> {
  const memory = await getMemory(database, id);
  if (!memory) return undefined;
  if (memory.archivedAt !== undefined) return { memories: [], observations: [], relations: [], messages: [] };
  const ids = [id, ...(await versionsBefore(database, id))];
  const sources = await Promise.all(ids.map((each) => sourcesOf(database, each)));
  const [memories, observations, relations, messages] = await Promise.all([
    Promise.all(ids.map((each) => getMemory(database, each))),
    Promise.all(ids.map((each, at) => observationsContaining(database, each, sources[at]!))),
    relationsOf(database, ids),
    Promise.all([...new Set(sources.flat())].sort((a, b) => a - b).map((each) => history.message(each))),
  ]);
  const once = new Map(observations.flat().map((observation) => [observation.id, observation]));
  return {
    memories: memories.filter((each) => each !== undefined),
    observations: [...once.values()],
    relations,
    messages: messages.filter((message) => message !== undefined),
  };
}
