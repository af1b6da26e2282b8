import { PegboardError, type ToolCall } from 'pegboard';
import { type ConcurrencyLimit, createConcurrencyLimit } from 'pegboard/kit';

/** Scripts that wait for a free place, and for how long. */
const maxQueued = 100;
const queueTimeoutMs = 60_000;
/** Scripts that wait for a person at a time: each keeps its thread and its memory. */
const maxPaused = 32;
/** Scripts whose tools are scripts. */
const maxNesting = 3;

/** A place of a running script. */
interface ScriptSlot extends Disposable {
  /** Gives the place to another script while `work` waits for a person. Throws PEG_BUSY when too many others wait for one. */
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
  let paused = 0;
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
          if (paused >= maxPaused) throw tooManyPaused();
          paused++;
          place.leave();
          try {
            return await work();
          } finally {
            paused--;
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

const tooManyPaused = (): PegboardError =>
  new PegboardError(
    'PEG_BUSY',
    `${maxPaused} scripts wait for an answer already, so this call was not run. Answer or decline one of their questions first.`,
  );
