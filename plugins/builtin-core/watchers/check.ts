import { parseJson, type AgentDirectory, type Logger, type Scope } from 'pegboard';
import type { Clock } from '../background/clock.ts';
import { act, type ActServices } from './act.ts';
import { look, type LookServices, type Observed } from './look.ts';
import { scopeOf, type WatcherRights } from './rights.ts';
import type { WatcherStore } from './store.ts';
import type { Target, Watcher } from './tables.ts';

/** Milliseconds: the longest pause after failures. */
const maxPauseMs = 3_600_000;

type Shared = Omit<LookServices & ActServices, 'scope' | 'caller' | 'signal'>;

export interface CheckOptions extends Shared {
  readonly store: WatcherStore;
  readonly agents: AgentDirectory;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Checks a watcher's target once, stores the outcome, and acts when there is a reason to. */
export type Check = (watcher: Watcher, signal: AbortSignal) => Promise<void>;

export function createCheck(options: CheckOptions): Check {
  const { store, clock, log } = options;

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

  /** The current rights of its agent. */
  const scopeFor = ({ rights }: Watcher): Scope =>
    scopeOf(parseJson(rights) as WatcherRights, options.agents);

  return async (watcher, signal) => {
    const { id, seen, acts_on: actsOn } = watcher;
    const target = parseJson(watcher.target) as Target;
    let observed: Observed;
    try {
      observed = await look(target, {
        ...options,
        scope: scopeFor(watcher),
        caller: `watcher:${id}`,
        signal,
      });
    } catch (cause) {
      if (!signal.aborted) await noteFailure(watcher, cause);
      return;
    }
    const isNew = seen !== null && seen !== observed.seen;
    const acts = actsOn === 'interval' ? seen !== null : isNew;
    const recovered = watcher.failures > 0;
    const event = isNew ? 'changed' : acts ? 'checked' : 'recovered';
    const summary = observed.describe(isNew ? seen : null);
    const entry = await store.advance(
      watcher,
      { ...nextCheck(watcher, 0), seen: observed.seen, last_error: null },
      acts || recovered
        ? { at: toIso(clock.now()), event, summary, outcome: acts ? 'running' : 'none', detail: null }
        : undefined,
    );
    if (!acts || entry === undefined) return;
    const change = { summary, untrusted: observed.untrusted };
    // The check may have taken long, and the agent may have lost rights since.
    const scope = scopeFor(watcher);
    const { outcome, detail } = await act(watcher, change, { ...options, scope, signal });
    // The next host reports what was interrupted.
    if (signal.aborted) return await store.release(entry);
    await store.endEntry(entry, outcome, detail);
    if (outcome === 'failed') log.warn("a watcher's action failed", { watcher: id, detail });
  };
}

/** When a watcher is due by the clock, in milliseconds; now, if the clock was set back. */
export function dueAt({ next_at, interval_s: seconds }: Watcher, now: number): number {
  const next = Date.parse(next_at);
  return next - now > Math.max(maxPauseMs, seconds * 1_000) ? now : next;
}

const toIso = (moment: number): string => new Date(moment).toISOString();
