import type { RegisteredTool, ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { createConcurrencyLimit, type ConcurrencyLimitOptions } from '../core/async/concurrency-limit.ts';
import { isMeta } from '../tools/meta.ts';

/** Calls within calls. Stops tools that run each other in a circle. */
const maxNesting = 16;

/** Far above normal use: they keep a runaway client from exhausting the machine. */
const defaultCallLimit: Omit<ConcurrencyLimitOptions, 'what'> = {
  limit: 128,
  maxQueued: 1_000,
  queueTimeoutMs: 60_000,
};

/** Limits how many calls run at once, in the whole host. */
export interface CallSlots {
  /** Undefined when the call needs no slot; a promise while all slots are taken. */
  take(
    tool: RegisteredTool,
    parent: ToolCall | undefined,
    signal: AbortSignal,
  ): Disposable | Promise<Disposable> | undefined;
}

export function createCallSlots(
  options: Omit<ConcurrencyLimitOptions, 'what'> = defaultCallLimit,
): CallSlots {
  const limit = createConcurrencyLimit({ ...options, what: 'tool calls' });
  const slot: Disposable = { [Symbol.dispose]: () => limit.leave() };
  return {
    take(tool, parent, signal) {
      // A call that only runs others, or runs within one that has a slot, would block those that it waits for.
      if (isMeta(tool) || hasSlot(parent)) return undefined;
      return limit.enter(signal)?.then(() => slot) ?? slot;
    },
  };
}

function hasSlot(parent: ToolCall | undefined): boolean {
  for (let outer = parent; outer; outer = outer.parent) if (!isMeta(outer.tool)) return true;
  return false;
}

/** Throws PEG_LIMIT, written for the model. */
export function checkDepth(name: string, parent: ToolCall | undefined): void {
  const way: string[] = [name];
  for (let outer = parent; outer; outer = outer.parent) way.unshift(outer.tool.id);
  if (way.length <= maxNesting) return;
  throw new PegboardError(
    'PEG_LIMIT',
    `${name} is the ${way.length}th call within another (${way.slice(0, 4).join(' → ')} → …); at most ${maxNesting} are allowed. Call it directly.`,
  );
}
