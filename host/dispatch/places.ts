import type { RegisteredTool, ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { createGate, type GateOptions } from '../core/gate.ts';
import { isMeta } from '../tools/meta.ts';

/** Calls within calls. Tools that run each other in a circle end here. */
const deepest = 16;

/** Far more than people and models do: they keep a client that has lost its way from taking the machine with it. */
export const standardPlaces: Omit<GateOptions, 'what'> = { most: 128, waiting: 1_000, patience: 60_000 };

/** How many calls run at once, in the whole host. */
export interface Places {
  /** Undefined when nothing has to be given back; a promise where all places are taken. */
  take(
    tool: RegisteredTool,
    parent: ToolCall | undefined,
    signal: AbortSignal,
  ): Disposable | Promise<Disposable> | undefined;
}

export function createPlaces(options: Omit<GateOptions, 'what'> = standardPlaces): Places {
  const gate = createGate({ ...options, what: 'tool calls run' });
  const place: Disposable = { [Symbol.dispose]: () => gate.leave() };
  return {
    take(tool, parent, signal) {
      // Who only runs others, or runs within a call that has a place, would keep one from those it waits for.
      if (isMeta(tool) || hasPlace(parent)) return undefined;
      return gate.enter(signal)?.then(() => place) ?? place;
    },
  };
}

function hasPlace(parent: ToolCall | undefined): boolean {
  for (let outer = parent; outer; outer = outer.parent) if (!isMeta(outer.tool)) return true;
  return false;
}

/** Throws PEG_LIMIT, written for the model. */
export function checkDepth(name: string, parent: ToolCall | undefined): void {
  const way: string[] = [name];
  for (let outer = parent; outer; outer = outer.parent) way.unshift(outer.tool.id);
  if (way.length <= deepest) return;
  throw new PegboardError(
    'PEG_LIMIT',
    `${name} is the ${way.length}th call within another (${way.slice(0, 4).join(' → ')} → …); at most ${deepest} may be. Call it directly.`,
  );
}
