import { markUntrusted, parseJson, type ToolResult } from 'pegboard';
import { readOrigins } from '../background/origin.ts';
import { describeTarget } from './describe.ts';
import type { Target, Watcher } from './tables.ts';

/**
 * A result that tells of watchers, with what they saw and why they failed. Who wrote what a tool returned isn't kept: it
 * counts as written by others.
 */
export function shownOf(watchers: readonly Watcher[], result: ToolResult): ToolResult {
  const made = watchers.flatMap(({ untrusted }) => readOrigins(untrusted)).at(-1);
  const seen = watchers.map(({ target }) => parseJson(target) as Target).find(({ kind }) => kind === 'tool');
  const origin = made ?? (seen && ({ kind: 'network', what: describeTarget(seen) } as const));
  return origin ? markUntrusted(result, origin) : result;
}
