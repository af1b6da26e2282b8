import {
  parseJson,
  type AgentDirectory,
  type Claim,
  type Engine,
  type Logger,
  type Origin,
  type QueueDefinition,
} from 'pegboard';
import { terminalChat } from 'pegboard/channels';
import type { Kysely } from 'kysely';
import { untilEnded } from '../background/stopped.ts';
import { act, chatOf, type ActServices, type Done } from './act.ts';
import { describeTarget } from './describe.ts';
import { currentScope } from './rights.ts';
import type { Enqueue, WatcherStore } from './store.ts';
import type { Action, HistoryEntry, Target, Watcher, WatcherTables } from './tables.ts';

/** The queue of actions, those of one watcher one after the other. */
export const actionQueue: QueueDefinition = {
  name: 'core.watcher-actions',
  order: 'key',
  // An action that cost several hosts is ended below, which has to tell of it.
  attempts: 100,
  backoff: { first: 5, longest: 300 },
  keptDays: 7,
};

interface ActionJob {
  readonly entry: number;
  /** The origin of untrusted content in what was seen. */
  readonly untrusted?: Origin | undefined;
  /** Whether an older version has begun it. */
  readonly hasBegun?: boolean;
}

/** How often the turn of an instruction may begin: hosts may have died of it. */
const maxAttempts = 5;

export const enqueueAction =
  (engine: Engine, about: Omit<ActionJob, 'entry'>): Enqueue =>
  (transaction, entry, watcher) =>
    engine.add(transaction as never, {
      queue: actionQueue.name,
      key: String(watcher),
      data: { entry, ...about } satisfies ActionJob,
    });

export interface ActionOptions extends Omit<ActServices, 'scope' | 'key' | 'isRepeated' | 'signal'> {
  readonly store: WatcherStore;
  readonly agents: AgentDirectory;
  readonly log: Logger;
}

/** Handles the jobs of `actionQueue`. Only a turn is continued after its host died; whether anything else was done is told. */
export function createActions(options: ActionOptions): (claim: Claim) => Promise<void> {
  const { store, agents, log } = options;
  return async (claim) => {
    const { entry: id, untrusted, hasBegun = false } = claim.job.data as ActionJob;
    const { attempt } = claim.job;
    const entry = await store.findEntry(id);
    const watcher = entry && (await store.find(entry.watcher_id));
    if (!watcher || entry.outcome !== 'running') return;
    const { kind } = parseJson(watcher.action) as Action;
    const isLost =
      hasBegun || attempt > maxAttempts || (attempt > 1 && kind !== 'instruction') ? interrupted : undefined;
    const done =
      isLost ??
      (await act(
        watcher,
        { summary: entry.summary, untrusted },
        {
          ...options,
          scope: () => currentScope(watcher, agents),
          key: `watcher/action/${id}`,
          isRepeated: attempt > 1,
          signal: claim.signal,
        },
      ));
    // The next host continues, or says that it was interrupted.
    if (claim.signal.aborted || !done) return await untilEnded(claim);
    await claim.write(async (transaction: Kysely<WatcherTables>) => {
      await transaction.updateTable('watchers_history').set(done).where('id', '=', id).execute();
    });
    if (done.outcome === 'failed')
      log.warn("a watcher's action failed", { watcher: watcher.id, detail: done.detail });
    if (done.outcome === 'uncertain') await tellUncertain(watcher, entry, claim.signal, options);
  };
}

const interrupted: Done = {
  outcome: 'uncertain',
  detail: 'Pegboard was stopped before it finished',
};

async function tellUncertain(
  watcher: Watcher,
  { summary }: HistoryEntry,
  signal: AbortSignal,
  { deliver, log }: ActionOptions,
): Promise<void> {
  const what = describeTarget(parseJson(watcher.target) as Target);
  const text = `Pegboard was stopped while watcher ${watcher.id} (${what}) acted on: ${summary}\nWhether it was done is uncertain, and it is not done again.`;
  await deliver(chatOf(watcher) ?? terminalChat, { text }, signal).catch((cause: unknown) =>
    log.error('the notice of an interrupted watcher was not delivered', { watcher: watcher.id, cause }),
  );
}
