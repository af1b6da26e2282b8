import { join } from 'node:path';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { Hook, HookSet } from '../api/hooks.ts';
import { PegboardError } from '../core/errors.ts';
import type { Platform } from '../core/requirements.ts';
import { findManifests } from '../sources/manifests/files/manifest-files.ts';
import type { PluginManifest } from './loading/manifest.ts';

/**
 * Those of the enabled plugins that a call of another tool can do without. Any other plugin may look at every call and
 * use the whole host, so where there is one, all are needed. Nobody has approved what a changed plugin.yaml says, so
 * `runsAsFound` tells which are as they were approved. Code of a space only brings tools.
 */
export function deferrable(
  enabled: readonly PluginManifest[],
  runsAsFound: (manifest: PluginManifest) => boolean,
): readonly PluginManifest[] {
  const all = enabled.filter(({ dynamic }) => !dynamic);
  const isKnown = (one: PluginManifest): boolean => whyUnknown(one) === undefined && runsAsFound(one);
  return all.every((one) => one.onDemand && isKnown(one)) ? all : [];
}

/** Whether a variable of the environment says that it follows every call. */
export const isWanted = ({ when }: PluginManifest, environment: Platform): boolean =>
  when.some((name) => (environment[name] ?? '') !== '');

/** Could the name by which this tool was found mean one of these plugins' tools as well? */
export function couldMean(
  plugins: readonly PluginManifest[],
  tool: { readonly name: string; readonly source: { readonly module: string } },
): boolean {
  return plugins.some(
    ({ packs }) =>
      Object.hasOwn(packs, tool.source.module) ||
      Object.entries(packs).some(
        ([pack, { tools = [] }]) =>
          tools.includes(tool.name) || tools.some((name) => `${pack}__${name}` === tool.name),
      ),
  );
}

/** Why nobody knows the tools of a plugin before its code runs; undefined: they are known. */
function whyUnknown({ packs, sources, folder, boundary }: PluginManifest): string | undefined {
  const [source] = sources;
  if (source !== undefined) return `its source ${source} lists its tools while it runs`;
  const unlisted = Object.keys(packs).find((pack) => packs[pack]!.tools === undefined);
  if (unlisted !== undefined) return `its pack ${unlisted} lists no tools`;
  return findManifests(join(folder, 'tools'), boundary).paths.length > 0
    ? 'it has manifests in tools/'
    : undefined;
}

/** Says that a plugin on demand is set up for every call, and why. */
export function checkOnDemand(manifest: PluginManifest): readonly Diagnostic[] {
  const why = manifest.onDemand ? whyUnknown(manifest) : undefined;
  if (why === undefined) return [];
  return [
    {
      severity: 'error',
      code: 'not-on-demand',
      message: `the plugin is on demand, but ${why}, so its tools are unknown until its code runs`,
      path: manifest.path,
      hint: 'list the names under packs: as tools:, or remove onDemand',
    },
  ];
}

/** The hooks of a plugin on demand. Throws PEG_CONFIG for one that could not be limited to calls in turns. */
export function hooksInTurns({ id, onDemand }: PluginManifest, hooks: HookSet): HookSet {
  if (!onDemand) return hooks;
  if (hooks.preValidate) {
    throw new PegboardError(
      'PEG_CONFIG',
      `The plugin ${id} is on demand and has a preValidate hook, which sees every call: remove onDemand from its plugin.yaml, or use a preTool hook.`,
    );
  }
  const { preTool, postTool } = hooks;
  return {
    ...(preTool && {
      preTool: limited<'preTool'>(preTool, (handler) => (call) => (call.turn ? handler(call) : undefined)),
    }),
    ...(postTool && {
      postTool: limited<'postTool'>(
        postTool,
        (handler) => (call, result) => (call.turn ? handler(call, result) : undefined),
      ),
    }),
  };
}

type HandlerOf<K extends 'preTool' | 'postTool'> = Extract<Hook<K>, (...args: never[]) => unknown>;

function limited<K extends 'preTool' | 'postTool'>(
  hooks: Hook<K> | readonly Hook<K>[],
  limit: (handler: HandlerOf<K>) => HandlerOf<K>,
): readonly Hook<K>[] {
  return ([hooks].flat() as Hook<K>[]).map((hook) =>
    typeof hook === 'function'
      ? limit(hook as HandlerOf<K>)
      : ({ ...hook, handler: limit(hook.handler as HandlerOf<K>) } as Hook<K>),
  );
}
