import type { History } from 'pegboard';
import type { Kysely } from 'kysely';
import { addMemory, getAlive, type Memory } from '../memories.ts';
import { toObservation, type Observation } from './observations.ts';
import { numbersIn, objectsIn } from './read-json.ts';
import { recallMemories } from '../recall/recall.ts';
import type { MemoryTables } from '../tables.ts';
import type { Similarities } from '../vectors/vectors.ts';
import type { Worker } from './worker.ts';

type Db = Kysely<MemoryTables>;

/** Observations judged at once, and memories that each is compared with. */
const batchSize = 20;
const compared = 5;

const instructions = `You decide what becomes of new notes, given what is remembered already. For each note one of:
"new": nothing remembered says it. "known": a memory says the same or more. "replaces": a memory is no longer true because of the note, or the note says the same and more; name its number.
Answer with JSON only: [{"note": number, "verdict": "new" | "known" | "replaces", "memory": number}]`;

/**
 * Promotes observations that matter beyond their conversation to memories. Known facts are skipped, and outdated
 * memories are superseded. The memory and the mark are stored in one step, so nothing is promoted twice.
 */
export async function promote(
  {
    database,
    history,
    worker,
    similarities,
  }: {
    database: Db;
    history: Pick<History, 'originsOf'>;
    worker: Worker;
    similarities: (text: string) => Promise<Similarities | undefined>;
  },
  conversation: number,
): Promise<void> {
  for (;;) {
    const found = await unjudged(database, conversation);
    if (found.length === 0) return;
    const observations: Observation[] = [];
    for (const observation of found) {
      // Untrusted content stays in its conversation. It becomes a memory only if the user agrees.
      const foreign = (await history.originsOf(observation.sources)).length > 0;
      if (foreign) await settle(database, observation, { verdict: 'known', memory: undefined });
      else observations.push(observation);
    }
    if (observations.length === 0) continue;
    const known = new Map<number, readonly Memory[]>();
    for (const { id, text } of observations) {
      known.set(
        id,
        await recallMemories(database, text, {
          limit: compared,
          similarities: await similarities(text),
          loosely: true,
        }),
      );
    }
    const verdicts = await judge(worker, observations, known);
    for (const observation of observations) await settle(database, observation, verdicts.get(observation.id));
  }
}

type Verdict =
  | { readonly verdict: 'new' }
  | { readonly verdict: 'known'; readonly memory: number | undefined }
  | { readonly verdict: 'replaces'; readonly memory: number };

async function judge(
  worker: Worker,
  observations: readonly Observation[],
  known: ReadonlyMap<number, readonly Memory[]>,
): Promise<ReadonlyMap<number, Verdict>> {
  const memories = new Map([...known.values()].flat().map((memory) => [memory.id, memory]));
  if (memories.size === 0) return new Map();
  const text = [
    'Remembered:',
    ...[...memories.values()].map(({ id, content }) => `${id}. ${content}`),
    '',
    'Notes:',
    ...observations.map((observation) => `${observation.id}. ${observation.text}`),
  ].join('\n');
  const verdicts = new Map<number, Verdict>();
  for (const item of objectsIn(await worker.ask(instructions, text))) {
    const [note] = numbersIn(item['note']);
    const memory = numbersIn(item['memory']).find((id) => memories.has(id));
    if (note === undefined) continue;
    if (item['verdict'] === 'known') verdicts.set(note, { verdict: 'known', memory });
    if (item['verdict'] === 'replaces' && memory !== undefined)
      verdicts.set(note, { verdict: 'replaces', memory });
  }
  return verdicts;
}

/** Does nothing when another process has settled it. */
async function settle(
  database: Db,
  observation: Observation,
  verdict: Verdict = { verdict: 'new' },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('memory_observations')
      .set({
        promoted_at: new Date().toISOString(),
        memory_id: verdict.verdict === 'known' ? (verdict.memory ?? null) : null,
      })
      .where('id', '=', observation.id)
      .where('promoted_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || verdict.verdict === 'known' || observation.text.trim() === '') return;
    const old = verdict.verdict === 'replaces' ? verdict.memory : undefined;
    const [stillThere] = old === undefined ? [] : await getAlive(transaction, [old]);
    const { id } = await addMemory(transaction, {
      content: observation.text,
      category: observation.category,
      tags: [],
      origin: 'observed',
      sources: observation.sources,
      supersedes: stillThere?.id,
    });
    await transaction
      .updateTable('memory_observations')
      .set({ memory_id: id })
      .where('id', '=', observation.id)
      .execute();
  });
}

async function unjudged(database: Db, conversation: number): Promise<readonly Observation[]> {
  const rows = await database
    .selectFrom('memory_observations')
    .selectAll()
    .where('conversation_id', '=', conversation)
    .where('priority', '=', 'high')
    .where('promoted_at', 'is', null)
    .where('retired_at', 'is', null)
    .orderBy('id')
    .limit(batchSize)
    .execute();
  return rows.map(toObservation);
}
