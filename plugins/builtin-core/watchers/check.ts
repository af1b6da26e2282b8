import { parseJson, type AgentDirectory, type Engine, type Logger } from 'pegboard';
import type { Clock } from 'pegboard';
import { enqueueAction } from './actions.ts';
import { look, type LookServices, type Observed } from './look.ts';
import { currentScope } from './rights.ts';
import type { WatcherStore } from './store.ts';
import type { Target, Watcher } from './tables.ts';

/** Milliseconds: the longest pause after failures. */
const maxPauseMs = 3_600_000;

export interface CheckOptions extends Omit<LookServices, 'scope' | 'caller' | 'signal'> {
  readonly engine: Engine;
  readonly store: WatcherStore;
  readonly agents: AgentDirectory;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Checks a watcher's target once and stores the outcome, with a job when there is a reason to act. */
export type Check = (watcher: Watcher, signal: AbortSignal) => Promise<void>;

export function createCheck(options: CheckOptions): Check {
  const { store, clock, engine, agents } = options;

  const nextCheck = ({ interval_s: seconds }: Watcher, failures: number) => {
    const pause = Math.min(
      seconds * 1_000 * 2 ** Math.min(failures, 20),
      Math.max(maxPauseMs, seconds * 1_000),
    );
    return { failures, checked_at: toIso(clock.now()), next_at: toIso(clock.now() + pause) };
  };
  /** Only the first failure in a row is recorded as an event. */
  const noteFailure = async (watcher: Watcher, cause: unknown): Promise<void> => {
    const error = cause instanceof Error ? cause.message : String(cause);
    const first = watcher.failures === 0;
    await store.advance(
      watcher,
      { ...nextCheck(watcher, watcher.failures + 1), last_error: error },
      first
        ? { at: toIso(clock.now()), event: 'failed', summary: error, outcome: 'none', detail: null }
        : undefined,
    );
  };

  return async (watcher, signal) => {
    const { id, seen, acts_on: actsOn } = watcher;
    const target = parseJson(watcher.target) as Target;
    let observed: Observed;
    try {
      observed = await look(target, {
        ...options,
        scope: currentScope(watcher, agents),
        caller: `watcher:${id}`,
        signal,
      });
    } catch (cause) {
      if (!signal.aborted) await noteFailure(watcher, cause);
      return;
    }
    const isNew = seen !== null && !observed.isSame(seen);
    const acts = actsOn === 'interval' ? seen !== null : isNew;
    const recovered = watcher.failures > 0;
    const event = isNew ? 'changed' : acts ? 'checked' : 'recovered';
    const summary = observed.describe(isNew ? seen : null);
    await store.advance(
      watcher,
      { ...nextCheck(watcher, 0), seen: observed.seen, last_error: null },
      acts || recovered
        ? { at: toIso(clock.now()), event, summary, outcome: acts ? 'running' : 'none', detail: null }
        : undefined,
      acts ? enqueueAction(engine, { untrusted: observed.untrusted }) : undefined,
    );
  };
}

/** When a watcher is due by the clock, in milliseconds; now, if the clock was set back. */
export function dueAt({ next_at, interval_s: seconds }: Watcher, now: number): number {
  const next = Date.parse(next_at);
  return next - now > Math.max(maxPauseMs, seconds * 1_000) ? now : next;
}

const toIso = (moment: number): string => new Date(moment).toISOString();
