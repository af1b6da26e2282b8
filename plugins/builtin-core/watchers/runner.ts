import { parseJson } from 'pegboard';
import { terminalChat } from 'pegboard/channels';
import { startPollLoop } from '../background/poll-loop.ts';
import { chatOf } from './act.ts';
import { createCheck, dueAt, type CheckOptions } from './check.ts';
import { describeTarget } from './describe.ts';
import { createFileEvents } from './file-events.ts';
import type { Target, Watcher } from './tables.ts';

/** Checks the watchers and performs their actions. Disposing cancels and awaits running work. */
export interface WatcherRunner extends AsyncDisposable {
  /** Checks which watchers are due now. Call it after they changed in this process. */
  wake(): void;
}

export function startWatchers(options: CheckOptions): WatcherRunner {
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

  /** What a process was doing when it died is not repeated; its chat gets a message that says so. */
  const reportAbandoned = async (): Promise<void> => {
    for (const { watcher_id: id, summary } of await store.takeAbandoned()) {
      const watcher = await store.find(id);
      if (!watcher) continue;
      const what = describeTarget(parseJson(watcher.target) as Target);
      const text = `Pegboard was stopped while watcher ${id} (${what}) acted on: ${summary}\nWhether it was done is uncertain, and it is not done again.`;
      await options
        .deliver(chatOf(watcher) ?? terminalChat, { text }, loop.signal)
        .catch((cause: unknown) =>
          log.error('the notice of an interrupted watcher was not delivered', { watcher: id, cause }),
        );
    }
  };

  const round = async (): Promise<number> => {
    await reportAbandoned();
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
