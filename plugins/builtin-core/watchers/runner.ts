import { once } from 'node:events';
import type { Claim } from 'pegboard';
import { startPollLoop } from '../background/poll-loop.ts';
import { actionQueue, createActions, enqueueAction, type ActionOptions } from './actions.ts';
import { createCheck, dueAt, type CheckOptions } from './check.ts';
import { createFileEvents } from './file-events.ts';
import type { Watcher } from './tables.ts';

/** Actions of this host at a time. */
const mostActions = 4;
/** Milliseconds that actions get to end when the host stops; then another host continues them. */
const graceMs = 20_000;

/** Checks the watchers, on one host at a time, and performs actions, on each. Disposing ends both. */
export interface WatcherRunner extends AsyncDisposable {
  /** Checks which watchers are due now. Call it after they changed in this process. */
  wake(): void;
}

export async function startWatchers(options: CheckOptions & ActionOptions): Promise<WatcherRunner> {
  const { store, engine } = options;
  await engine.define([actionQueue]);
  await store.adoptOpenEntries(enqueueAction(engine, { hasBegun: true }));
  let checks: WatcherRunner | undefined;
  const role = engine.role('core.watchers', async ({ signal }: Claim) => {
    await using own = startChecks(options);
    checks = own;
    if (!signal.aborted) await once(signal, 'abort');
    checks = undefined;
  });
  const working = engine.work(actionQueue.name, { most: mostActions, graceMs }, createActions(options));
  return {
    wake: () => checks?.wake(),
    async [Symbol.asyncDispose]() {
      await role[Symbol.asyncDispose]();
      await working[Symbol.asyncDispose]();
    },
  };
}

/** Checks each watcher when it is due. */
function startChecks(options: CheckOptions): WatcherRunner {
  const { store, clock, log } = options;
  const check = createCheck(options);
  const events = createFileEvents({ ...options, onEvent: () => loop.wake() });

  const begin = (watcher: Watcher): void => {
    loop.begin(watcher.id, () =>
      check(watcher, loop.signal).then(
        () => true,
        (cause: unknown) => {
          log.error('a watcher could not be checked', { watcher: watcher.id, cause });
          return false;
        },
      ),
    );
  };
  const round = async (): Promise<number> => {
    const watchers = await store.list('active');
    events.follow(watchers);
    let next = Number.POSITIVE_INFINITY;
    for (const watcher of watchers) {
      if (loop.isBusy(watcher.id)) continue;
      const due = Math.min(dueAt(watcher, clock.now()), events.dueAt(watcher.id));
      if (due > clock.now()) next = Math.min(next, due);
      else if (!loop.isFull) {
        events.checked(watcher.id);
        begin(watcher);
      }
    }
    return next - clock.now();
  };
  const loop = startPollLoop({
    round,
    onFailure: (cause) => log.error('the watchers could not be checked', { cause }),
    clock,
  });
  return {
    wake: () => loop.wake(),
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      events[Symbol.dispose]();
    },
  };
}
