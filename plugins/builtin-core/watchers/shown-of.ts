import { markUntrusted, parseJson, type ToolResult } from 'pegboard';
import { readOrigins } from '../background/origin.ts';
import { describeTarget } from './describe.ts';
import type { Target, Watcher } from './tables.ts';

/**
 * A result about watchers that includes what they saw and why they failed. The author of a tool's result isn't stored,
 * so it counts as untrusted.
 */
export function shownOf<Result extends ToolResult>(watchers: readonly Watcher[], result: Result): Result {
  const made = watchers.flatMap(({ untrusted }) => readOrigins(untrusted)).at(-1);
  const seen = watchers.map(({ target }) => parseJson(target) as Target).find(({ kind }) => kind === 'tool');
  const origin = made ?? (seen && ({ kind: 'network', what: describeTarget(seen) } as const));
  return origin ? markUntrusted(result, origin) : result;
}
