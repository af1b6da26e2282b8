import type { ToolCall } from '../api/tool.ts';
import { createConcurrencyLimit, type ConcurrencyLimit } from '../core/async/concurrency-limit.ts';
import { PegboardError } from '../core/errors.ts';

/** Scripts that wait for a free place, and for how long. */
const maxQueued = 100;
const queueTimeoutMs = 60_000;
/** Scripts whose tools are scripts. */
const maxNesting = 3;

/** A place of a running script. */
export interface ScriptSlot extends Disposable {
  /** Gives the place to another script while `work` waits for a person. */
  pausedFor<T>(work: () => Promise<T>): Promise<T>;
}

/** Limits how many scripts run at once. Scripts within others have places of their own, so that none waits for itself. */
export interface ScriptSlots {
  /** How many scripts the call is within. */
  depthOf(call: ToolCall): number;
  /** Throws PEG_BUSY when no place becomes free in time, and PEG_LIMIT when scripts run each other too deeply. */
  take(call: ToolCall, limit: number): Promise<ScriptSlot>;
}

export function createScriptSlots(): ScriptSlots {
  const running = new WeakSet<ToolCall>();
  let places: { readonly limit: number; readonly byDepth: readonly ConcurrencyLimit[] } | undefined;
  const placesFor = (limit: number): readonly ConcurrencyLimit[] => {
    if (places?.limit === limit) return places.byDepth;
    const options = { what: 'scripts', limit, maxQueued, queueTimeoutMs };
    const byDepth = Array.from({ length: maxNesting }, () => createConcurrencyLimit(options));
    places = { limit, byDepth };
    return byDepth;
  };
  const depthOf = (call: ToolCall): number => {
    let depth = 0;
    for (let outer = call.parent; outer; outer = outer.parent) if (running.has(outer)) depth++;
    return depth;
  };
  return {
    depthOf,
    async take(call, limit) {
      const depth = depthOf(call);
      const place = placesFor(limit)[depth];
      if (!place)
        throw new PegboardError(
          'PEG_LIMIT',
          `${call.tool.id} is a script within ${depth} others; ${maxNesting} is the limit.`,
        );
      await place.enter(call.signal);
      running.add(call);
      return {
        async pausedFor(work) {
          place.leave();
          try {
            return await work();
          } finally {
            place.reenter();
          }
        },
        [Symbol.dispose]() {
          running.delete(call);
          place.leave();
        },
      };
    },
  };
}
