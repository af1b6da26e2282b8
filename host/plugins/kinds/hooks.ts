import type { Hook, HookName, Hooks, HookSet } from '../../api/hooks.ts';
import type { ToolOutput, ToolResult } from '../../api/result.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { plainOutput } from '../../tools/result.ts';
import { hooksInTurns } from '../on-demand.ts';
import type { PluginManifest } from '../loading/manifest.ts';
import type { Entrance } from './entrance.ts';
import { kind } from './kind.ts';
import { memberOf, requireFunction } from './require-function.ts';
import { inHooks } from './unknown-members.ts';

/** Hooks into calls of tools. A broken one makes the plugin fail. */
export const hooks = kind<HookSet>({
  form: 'an object',
  none: {},
  check(given, { plugin, entrance }) {
    requireHooks(plugin, given);
    const entered = Object.entries(given).map(([name, hook]) => [
      name,
      [hook].flat().map((one) => enterHook(name as HookName, one as Hook, entrance)),
    ]);
    return hooksInTurns(plugin, Object.fromEntries(entered) as HookSet);
  },
  unknown: inHooks,
});

function requireHooks(plugin: PluginManifest, hooksByName: HookSet): void {
  for (const [name, given] of Object.entries(hooksByName))
    for (const hook of given === undefined ? [] : [given].flat())
      requireFunction(
        plugin,
        `The hook ${name}`,
        typeof hook === 'function' ? hook : memberOf(hook, 'handler'),
        'a function, or an object with a function "handler"',
      );
}

function enterHook<K extends HookName>(
  name: K,
  given: Hook<K>,
  { isOwn, call, ownSignals }: Entrance,
): Hook<K> {
  const handler = typeof given === 'function' ? given : given.handler;
  const run = (args: readonly unknown[]): unknown => Reflect.apply(handler, given, ownSignals(args));
  const entered = isOwn
    ? (...args: readonly unknown[]) => call(() => run(args))
    : (...args: readonly unknown[]) => call(async () => plainReturn(name, await run(args), args));
  return typeof given === 'function' ? (entered as Hooks[K]) : { ...given, handler: entered as Hooks[K] };
}

/** What a hook has returned, as data. What it was given is returned as it is: whether it changed anything counts. */
function plainReturn(name: HookName, returned: unknown, args: readonly unknown[]): unknown {
  if (typeof returned !== 'object' || returned === null) return returned;
  const [call, result] = args as Parameters<Hooks['postTool']>;
  if (returned === result || returned === (call as { readonly args?: unknown }).args) return returned;
  if (name !== 'postTool') return parseJson(toJson(returned));
  return {
    ...(plainOutput(returned as ToolOutput) as ToolResult),
    ...keptParts(returned as ToolResult, result),
  };
}

const keptParts = (edited: ToolResult, before: ToolResult): Partial<ToolResult> =>
  Object.fromEntries(
    (['content', 'structured'] as const)
      .filter((part) => before[part] !== undefined && edited[part] === before[part])
      .map((part) => [part, before[part]]),
  );
