import { extractGraph } from './graph/extract.ts';
import { embedMissing } from './vectors/embed-memories.ts';
import { observe } from './worker/observer.ts';
import { promote } from './worker/promoter.ts';
import { reflect } from './worker/reflector.ts';
import type { Remembering } from './remembering.ts';
import { indexConversations } from './recall/turns.ts';
import { openWorker } from './worker/worker.ts';

/** Progress: `done` of `total` of the current step. */
export type OnProgress = (done: number, total: number, what: string) => void;

export interface Backfilled {
  readonly conversations: number;
  /** False without a worker model: messages were indexed and embedded, but not observed. */
  readonly worker: boolean;
}

/**
 * Does for all stored conversations what turns do as they happen. Completed work is skipped, so running it again is
 * cheap and continues an interrupted run.
 */
export async function backfill(
  memory: Remembering,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Backfilled> {
  const { context, database } = memory;
  const { history, timezone } = context;
  await indexConversations(database, history, {
    onDone: (done, total) => onProgress(done, total, 'indexing conversations'),
  });
  const conversations = await history.conversations();
  const worker = openWorker(context);
  if (worker) {
    const shared = { database, history, worker, timezone };
    const similarities = (text: string) => memory.similarities(text);
    for (const [at, { id }] of conversations.entries()) {
      signal.throwIfAborted();
      await observe(shared, id);
      await promote({ ...shared, similarities }, id);
      await reflect(shared, id);
      onProgress(at + 1, conversations.length, 'observing conversations');
    }
    signal.throwIfAborted();
    await extractGraph(shared, {
      promoted: false,
      onDone: (done, total) => onProgress(done, total, 'extending the graph'),
    });
  }
  signal.throwIfAborted();
  await embedMissing(database, (texts) => context.embed(texts, signal));
  return { conversations: conversations.length, worker: worker !== undefined };
}
