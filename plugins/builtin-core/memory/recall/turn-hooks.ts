import type { PreambleSection, TurnContext, TurnHooks } from 'pegboard';
import type { Remember } from '../remembering.ts';
import type { UpkeepQueue } from '../upkeep-queue.ts';
import type { Recalled } from './recall.ts';
import type { Remembering } from '../remembering.ts';

/** Maximum recent memories in every turn, maximum relevant ones, and their minimum similarity: the reference's values. */
const maxRecent = 10;
const maxRelevant = 5;
const minSimilarity = 0.4;

/** The memory plugin's turn hooks. */
export function createTurnHooks(remember: Remember): Pick<TurnHooks, 'history' | 'preTurn' | 'postTurn'> {
  let opening: Promise<UpkeepQueue> | undefined;
  const openQueue = async (memory: Remembering): Promise<UpkeepQueue> => {
    const { openUpkeepQueue } = await import('../upkeep-queue.ts');
    return memory.context.own(await openUpkeepQueue(memory));
  };
  let indexing: Promise<void> = Promise.resolve();
  return {
    async history({ conversation }) {
      const [{ context, database }, { activeObservations, observedUntil, renderObservations }] =
        await Promise.all([remember(), import('../worker/observations.ts')]);
      const observations = await activeObservations(database, conversation.id);
      if (observations.length === 0) return;
      return {
        prefix: renderObservations(observations),
        after: await observedUntil(database, conversation.id),
        untrusted: await context.history.originsOf(observations.flatMap(({ sources }) => sources)),
      };
    },
    preTurn: async (turn) => await memoriesFor(await remember(), turn),
    async postTurn({ conversation }) {
      const [memory, { runUpkeep, hasWorker }] = await Promise.all([remember(), import('../upkeep.ts')]);
      // Without a model there is nothing that two hosts could pay for twice.
      if (!hasWorker(memory)) {
        indexing = indexing.then(() => runUpkeep(memory, conversation));
        return await indexing;
      }
      opening ??= openQueue(memory);
      await (await opening).run(conversation);
    },
  };
}

async function memoriesFor(memory: Remembering, turn: TurnContext): Promise<readonly PreambleSection[]> {
  const [{ listMemories }, { inPreamble }] = await Promise.all([
    import('../memories.ts'),
    import('./show.ts'),
  ]);
  const recent = await listMemories(memory.database, { limit: maxRecent });
  if (recent.length === 0) return [];
  const known = new Set(recent.map(({ id }) => id));
  const relevant = (await relevantTo(memory, turn)).filter(({ id }) => !known.has(id)).slice(0, maxRelevant);
  return [
    {
      title: 'Recent memories -- use these for context, pattern recognition, and continuity',
      lines: recent.map((each) => inPreamble(each)),
    },
    { title: 'Potentially relevant memories', lines: relevant.map((each) => inPreamble(each)) },
  ].filter(({ lines }) => lines.length > 0);
}

/** The most similar memories. Without embeddings they are chosen by words, and lines show no similarity. */
async function relevantTo(memory: Remembering, turn: TurnContext): Promise<readonly Recalled[]> {
  const limit = maxRecent + maxRelevant;
  const vector = await turn.embedding();
  const similarities = vector && (await memory.similarities(vector));
  if (!similarities) return await memory.recall(turn.message.text, { limit, loosely: true });
  const near = [...similarities]
    .filter(([, similarity]) => similarity >= minSimilarity)
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit);
  const { getAlive } = await import('../memories.ts');
  const memories = await getAlive(
    memory.database,
    near.map(([id]) => id),
  );
  return memories.map((each) => ({ ...each, similarity: similarities.get(each.id)! }));
}
