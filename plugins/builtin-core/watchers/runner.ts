import {
  parseJson,
  type AgentDirectory,
  type Converse,
  type Deliver,
  type Dispatch,
  type FileOrigins,
  type Logger,
} from 'pegboard';
import { terminalChat } from 'pegboard/channels';
import type { Clock } from '../background/clock.ts';
import { startPollLoop } from '../background/poll-loop.ts';
import type { Roots } from '../filesystem/access/roots.ts';
import { act, chatOf } from './act.ts';
import { describeTarget } from './describe.ts';
import { watchFiles } from './events.ts';
import { look, type Observed } from './look.ts';
import { scopeOf, type WatcherRights } from './rights.ts';
import type { WatcherStore } from './store.ts';
import type { Target, Watcher } from './tables.ts';

/** Milliseconds of quiet after a file changed, and between two looks that files ask for. */
const quietMs = 200;
const eventIntervalMs = 5_000;
/** Milliseconds: the longest pause after failures. */
const maxPauseMs = 3_600_000;

export interface RunnerOptions {
  readonly store: WatcherStore;
  readonly agents: AgentDirectory;
  readonly roots: Roots;
  readonly origins: FileOrigins;
  readonly dispatch: Dispatch;
  readonly converse: Converse;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Looks, and acts, until it is disposed; then what still runs is cancelled and awaited. */
export interface WatcherRunner extends AsyncDisposable {
  /** Watchers changed in this process: look at them now. */
  wake(): void;
}

export function startWatchers(options: RunnerOptions): WatcherRunner {
  const { store, clock, log } = options;
  const events = new Map<number, { readonly target: string; readonly watching: Disposable }>();
  /** When a watcher is to be looked at because of an event. */
  const asked = new Map<number, number>();
  const lookedAt = new Map<number, number>();

  const check = async (watcher: Watcher): Promise<void> => {
    asked.delete(watcher.id);
    const target = parseJson(watcher.target) as Target;
    let sight: Observed;
    try {
      sight = await look(target, { ...options, ...callOf(watcher), signal: loop.signal });
    } catch (cause) {
      if (!loop.signal.aborted) await noteFailure(watcher, cause);
      return;
    }
    const isNew = watcher.seen !== null && watcher.seen !== sight.seen;
    const acts = watcher.acts_on === 'interval' ? watcher.seen !== null : isNew;
    const recovered = watcher.failures > 0;
    const event = isNew ? 'changed' : acts ? 'checked' : 'recovered';
    const summary = sight.describe(isNew ? watcher.seen : null);
    const entry = await store.advance(
      watcher,
      { ...nextLook(watcher, 0), seen: sight.seen, last_error: null },
      acts || recovered
        ? { at: toIso(clock.now()), event, summary, outcome: acts ? 'running' : 'none', detail: null }
        : undefined,
    );
    if (!acts || entry === undefined) return;
    const { scope } = callOf(watcher);
    const { outcome, detail } = await act(
      watcher,
      { summary, untrusted: sight.untrusted },
      { ...options, scope, signal: loop.signal },
    );
    // Whoever waits for it is told by the next host.
    if (loop.signal.aborted) return await store.release(entry);
    await store.endEntry(entry, outcome, detail);
    if (outcome === 'failed') log.warn('what a watcher was to do failed', { watcher: watcher.id, detail });
  };

  const callOf = ({ id, rights }: Watcher) => ({
    scope: scopeOf(parseJson(rights) as WatcherRights, options.agents),
    caller: `watcher:${id}`,
  });
  const nextLook = ({ interval_s: seconds }: Watcher, failures: number) => {
    const pause = Math.min(
      seconds * 1_000 * 2 ** Math.min(failures, 20),
      Math.max(maxPauseMs, seconds * 1_000),
    );
    return { failures, checked_at: toIso(clock.now()), next_at: toIso(clock.now() + pause) };
  };
  /** Only the first failure in a row is news. */
  const noteFailure = async (watcher: Watcher, cause: unknown): Promise<void> => {
    const error = cause instanceof Error ? cause.message : String(cause);
    const first = watcher.failures === 0;
    await store.advance(
      watcher,
      { ...nextLook(watcher, watcher.failures + 1), last_error: error },
      first
        ? { at: toIso(clock.now()), event: 'failed', summary: error, outcome: 'none', detail: null }
        : undefined,
    );
  };

  /** By the clock; when that was put back, now. */
  const nextOf = ({ next_at, interval_s: seconds }: Watcher): number => {
    const next = Date.parse(next_at);
    return next - clock.now() > Math.max(maxPauseMs, seconds * 1_000) ? clock.now() : next;
  };

  const begin = (watcher: Watcher): void => {
    loop.begin(watcher.id, () =>
      check(watcher).then(
        () => true,
        (cause: unknown) => {
          log.error('a watcher could not be looked after', { watcher: watcher.id, cause });
          return false;
        },
      ),
    );
  };

  /** What a process that died was doing is not done again, and whoever waits for it is told. */
  const settle = async (): Promise<void> => {
    for (const { watcher_id: id, summary } of await store.takeAbandoned()) {
      const watcher = await store.find(id);
      if (!watcher) continue;
      const what = describeTarget(parseJson(watcher.target) as Target);
      const text = `Pegboard was stopped while watcher ${id} (${what}) acted on: ${summary}\nWhether it was done is uncertain, and it is not done again.`;
      await options
        .deliver(chatOf(watcher) ?? terminalChat, { text }, loop.signal)
        .catch((cause: unknown) => log.error('nobody could be told of a watcher', { watcher: id, cause }));
    }
  };

  const followFiles = (watchers: readonly Watcher[]): void => {
    for (const [id, { target, watching }] of events) {
      if (watchers.some((watcher) => watcher.id === id && watcher.target === target)) continue;
      watching[Symbol.dispose]();
      events.delete(id);
    }
    for (const { id, target } of watchers) {
      const { kind, ...rest } = parseJson(target) as Target;
      if (kind !== 'files' || events.has(id)) continue;
      const { pattern } = rest as Extract<Target, { kind: 'files' }>;
      const changed = (): void => {
        if (asked.has(id)) return;
        asked.set(id, Math.max(clock.now() + quietMs, (lookedAt.get(id) ?? 0) + eventIntervalMs));
        loop.wake();
      };
      events.set(id, { target, watching: watchFiles(options.roots, pattern, { changed, log }) });
    }
  };
  const round = async (): Promise<number> => {
    await settle();
    const watchers = await store.list('active');
    followFiles(watchers);
    let next = Number.POSITIVE_INFINITY;
    for (const watcher of watchers) {
      if (loop.isBusy(watcher.id)) continue;
      const due = Math.min(nextOf(watcher), asked.get(watcher.id) ?? Number.POSITIVE_INFINITY);
      if (due > clock.now()) next = Math.min(next, due);
      else if (!loop.isFull) {
        lookedAt.set(watcher.id, clock.now());
        begin(watcher);
      }
    }
    return next - clock.now();
  };

  const loop = startPollLoop({
    round,
    onFailure: (cause) => log.error('the watchers could not be looked after', { cause }),
    clock,
  });
  return {
    wake: () => loop.wake(),
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      for (const { watching } of events.values()) watching[Symbol.dispose]();
    },
  };
}

const toIso = (moment: number): string => new Date(moment).toISOString();
