import type { Hook, HookName, Hooks } from '../api/hooks.ts';
import type { Model } from '../api/model.ts';
import type { PluginContext } from '../api/plugin.ts';
import type { ToolOutput, ToolResult } from '../api/result.ts';
import { parseJson, toJson } from '../core/documents/written-numbers.ts';
import { messageOf } from '../core/errors.ts';
import { pegboard } from '../core/own-command.ts';
import { createOwnSignals, guarded } from '../core/platform/exit-guard.ts';
import { asSentence } from '../core/text/as-sentence.ts';
import { plainOutput } from '../tools/result.ts';
import type { CheckedContributions } from './contributions.ts';
import type { PluginManifest } from './loading/manifest.ts';
import { describePlugin } from './plugin-state.ts';

/** Enters the code of one plugin: what it does from there on, also later, is known to be its own. */
export interface PluginGuard {
  /** Whether the plugin came with Pegboard. */
  readonly isOwn: boolean;
  /** Somebody waits for the end of this. What it throws later, where nobody waits for it, is only reported. */
  readonly call: <T>(run: () => T) => T;
  readonly setUp: <T>(run: () => T) => T;
  /** What it throws where nobody waits for it goes to `stop`. */
  readonly service: <T>(run: () => T, stop: (cause: unknown) => void) => T;
  /** What `setup` left running has failed: nobody knows which service it belongs to. */
  onSetUpFailed: (cause: unknown) => void;
  /** Tells the owner. `what`: a sentence without its end, such as "the service poller was stopped". */
  readonly report: (what: string, cause: unknown) => void;
}

export function createPluginGuard(
  manifest: PluginManifest,
  context: Pick<PluginContext, 'log' | 'report'>,
): PluginGuard {
  const { id, builtin, dynamic } = manifest;
  const name = describePlugin(manifest);
  const remedy = dynamic
    ? `Change the code in ${dynamic.root}, or move it elsewhere.`
    : `\`${pegboard} plugins disable ${id}\` turns the plugin off.`;
  const enter = <T>(run: () => T, onLate: (cause: unknown) => void, isLoading = false): T =>
    // What came with Pegboard is its own code.
    builtin ? run() : guarded({ name, remedy, isLoading, onLate }, run);
  const guard: PluginGuard = {
    isOwn: builtin,
    call: (run) => enter(run, (cause) => guard.report('it failed where nobody waits for it', cause)),
    setUp: (run) => enter(run, (cause) => guard.onSetUpFailed(cause), true),
    service: enter,
    onSetUpFailed: (cause) => guard.report('what its setup left running failed', cause),
    report(what, cause) {
      context.log.error(`${name}: ${what}`, { cause });
      context.report({
        name: dynamic ? name : `plugin ${id}`,
        status: 'failed',
        message: `${what}: ${asSentence(messageOf(cause))}`,
        fix: remedy,
      });
    },
  };
  return guard;
}

/** The contributions, so that the host enters the plugin's code by its guard. Services are entered by who starts them. */
export function guardContributions(
  contributions: CheckedContributions,
  { call, isOwn }: PluginGuard,
): CheckedContributions {
  const { packs, hooks, turn, channels, models, commands, moving } = contributions;
  const { roots, mentions, checks, onSecretScrubbed } = contributions;
  const ownSignals = isOwn ? <T>(args: T): T => args : createOwnSignals();
  /** The object with some of its functions replaced; they keep their `this`. */
  const enter = <T extends object>(owner: T, names: readonly (keyof T)[]): T => {
    const entered = names.flatMap((name) => {
      const own = owner[name];
      if (typeof own !== 'function') return [];
      return [
        [name, (...args: unknown[]) => call((): unknown => Reflect.apply(own, owner, ownSignals(args)))],
      ];
    });
    return { ...owner, ...Object.fromEntries(entered) };
  };
  const each = <T>(
    named: { readonly [name: string]: T },
    change: (one: T) => T,
  ): { readonly [name: string]: T } =>
    Object.fromEntries(Object.entries(named).map(([name, one]) => [name, change(one)]));
  // A spread would lose what a class has.
  const model = (opened: Model): Model => {
    const { id, contextWindow, nativeTools, maxTools } = opened;
    return { ...enter(opened, ['respond']), id, contextWindow, nativeTools, maxTools };
  };
  const hook = <K extends HookName>(name: K, given: Hook<K>): Hook<K> => {
    const handler = typeof given === 'function' ? given : given.handler;
    const run = (args: readonly unknown[]): unknown => Reflect.apply(handler, given, ownSignals(args));
    const entered = isOwn
      ? (...args: readonly unknown[]) => call(() => run(args))
      : (...args: readonly unknown[]) => call(async () => plainReturn(name, await run(args), args));
    return typeof given === 'function' ? (entered as Hooks[K]) : { ...given, handler: entered as Hooks[K] };
  };
  return {
    ...contributions,
    packs: packs.map(({ name, tools }) => ({
      name,
      tools: tools.map((tool) => {
        const entered = enter(tool, ['execute', 'prepare', 'untrusted', 'relays']);
        if (isOwn) return entered;
        return {
          ...entered,
          execute: async (...args) => call(async () => plainOutput(await tool.execute(...ownSignals(args)))),
        };
      }),
    })),
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([name, given]) => [
        name,
        [given].flat().map((one) => hook(name as HookName, one as Hook)),
      ]),
    ),
    turn: enter(turn, ['message', 'history', 'preTurn', 'postTurn']),
    channels: each(channels, (channel) => {
      const { identity } = channel;
      const entered = enter(channel, ['deliver', 'take', 'ask', 'ownerChat']);
      return { ...entered, ...(identity !== undefined && { identity }) };
    }),
    models: each(models, (provider) => {
      const entered = enter(provider, ['open', 'list']);
      return { ...entered, open: async (settings) => model(await entered.open(settings)) };
    }),
    commands: enter(commands, Object.keys(commands)),
    ...enter({ roots, mentions, checks, onSecretScrubbed }, [
      'roots',
      'mentions',
      'checks',
      'onSecretScrubbed',
    ]),
    moving: enter(moving, ['buildIndexes']),
  };
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
