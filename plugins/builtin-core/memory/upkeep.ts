import { extractGraph } from './graph/extract.ts';
import { observe } from './worker/observer.ts';
import { promote } from './worker/promoter.ts';
import { reflect } from './worker/reflector.ts';
import type { Remembering } from './remembering.ts';
import { indexConversation } from './recall/turns.ts';
import { openWorker } from './worker/worker.ts';

/**
 * The work after a turn: indexes new messages and, with a worker model, observes old ones, promotes what matters and
 * condenses the notes. Each step starts from what is stored, so the next run completes what was interrupted or failed.
 * Never rejects.
 */
export async function runUpkeep(
  memory: Remembering,
  conversation: { readonly id: number; readonly source: string },
): Promise<void> {
  const { context, database } = memory;
  const { history, timezone, log } = context;
  const worker = openWorker(context);
  const shared = worker && { database, history, worker, timezone };
  const similarities = (text: string) => memory.similarities(text);
  const steps: readonly (readonly [string, () => Promise<void>])[] = [
    ['indexing the conversation', () => indexConversation(database, history, conversation)],
    ...(shared
      ? ([
          ['observing the conversation', () => observe(shared, conversation.id)],
          ['promoting observations', () => promote({ ...shared, similarities }, conversation.id)],
          ['condensing observations', () => reflect(shared, conversation.id)],
          ['extending the graph', () => extractGraph(shared, { promoted: true })],
        ] as const)
      : []),
  ];
  for (const [what, work] of steps) {
    try {
      await work();
    } catch (cause) {
      log.warn(`${what} failed; the next turn tries again`, { cause });
    }
  }
  memory.embedLater();
}

export const hasWorker = ({ context }: Pick<Remembering, 'context'>): boolean =>
  openWorker(context) !== undefined;
