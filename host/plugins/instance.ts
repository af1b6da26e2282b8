import type { Diagnostic } from '../api/diagnostic.ts';
import type { Contributions, Plugin } from '../api/plugin.ts';
import type { JsonObject } from '../api/result.ts';
import type { ToolSource } from '../api/source.ts';
import type { Tool } from '../api/tool.ts';
import { openDeadline, untilAborted } from '../core/async/deadline.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { createContext, type OwnTables, type PluginServices } from './context.ts';
import { checkContributions } from './contributions.ts';
import type { ManifestSource } from '../sources/manifests/files/directory.ts';
import { manifestToolsOf } from './manifest-tools.ts';
import { hooksInTurns } from './on-demand.ts';
import type { PluginManifest } from './loading/manifest.ts';
import { createPluginGuard, guardContributions, type PluginGuard } from './plugin-guard.ts';

/** Seconds that a plugin's module and its `setup` may take together. */
const setupTimeoutSeconds = 10;

/** One generation of a plugin. Disposing it aborts its signal and closes what it owns; its sources end their calls first. */
export interface PluginInstance extends AsyncDisposable {
  readonly manifest: PluginManifest;
  readonly guard: PluginGuard;
  /** One for each pack, and one for its manifests. */
  readonly sources: readonly ToolSource[];
  readonly manifestTools: ManifestSource | undefined;
  readonly hooks: HookOwner;
  readonly turn: NonNullable<Contributions['turn']>;
  readonly services: NonNullable<Contributions['services']>;
  readonly channels: NonNullable<Contributions['channels']>;
  readonly models: NonNullable<Contributions['models']>;
  readonly commands: NonNullable<Contributions['commands']>;
  readonly roots: NonNullable<Contributions['roots']>;
  readonly mentions: NonNullable<Contributions['mentions']>;
  readonly checks: NonNullable<Contributions['checks']>;
  readonly onSecretScrubbed: NonNullable<Contributions['onSecretScrubbed']>;
  readonly moving: NonNullable<Contributions['moving']>;
  /** Undefined while it has asked for none. */
  readonly tables: () => OwnTables | undefined;
  /** Contributions that were left out. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads a plugin and runs its `setup`. When that fails or takes too long, rejects and disposes what the plugin opened. */
export async function startPlugin(
  manifest: PluginManifest,
  load: () => Promise<Plugin>,
  config: JsonObject,
  services: PluginServices,
): Promise<PluginInstance> {
  const owned = createContext(manifest, config, services);
  const guard = createPluginGuard(manifest, owned.context);
  const close = async (): Promise<void> => {
    guard.call(() => owned.retire());
    await owned[Symbol.asyncDispose]();
  };
  try {
    using deadline = openDeadline(setupTimeoutSeconds * 1000, undefined, services.surroundings.clock);
    const setUp = async (): Promise<Contributions | void> => {
      const plugin = await load();
      deadline.signal.throwIfAborted();
      return plugin.setup(owned.context);
    };
    const inTime = (): Promise<Contributions | void> => untilAborted(setUp(), deadline.signal);
    const contributions = (await guard.setUp(inTime)) ?? {};
    owned.started();
    const { packs, diagnostics, ...rest } = guardContributions(
      checkContributions(manifest, contributions),
      guard,
    );
    const hooks = hooksInTurns(manifest, rest.hooks);
    const manifestTools = manifestToolsOf(manifest, services.manifests);
    return {
      ...rest,
      manifest,
      guard,
      sources: [
        ...packs.map(({ name, tools }) => toSource(manifest, name, tools)),
        ...(manifestTools ? [manifestTools] : []),
      ],
      manifestTools,
      hooks: { name: `plugin ${manifest.id}`, hooks },
      diagnostics,
      tables: owned.tables,
      [Symbol.asyncDispose]: close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}

function toSource(manifest: PluginManifest, name: string, tools: readonly Tool[]): ToolSource {
  const { packs, builtin, folder, dynamic } = manifest;
  const declared = packs[name]!;
  return {
    id: dynamic ? `code:${dynamic.space}/${name}` : `pack:${name}`,
    kind: builtin ? 'builtin' : dynamic ? 'manifest' : 'plugin',
    module: dynamic?.space ?? name,
    description: declared.description,
    ...(declared.lean && { lean: declared.lean }),
    ...(declared.alwaysLoad !== undefined && { alwaysLoad: declared.alwaysLoad }),
    ...(declared.channel !== undefined && { channel: declared.channel }),
    origin: folder,
    declares: {
      ...(declared.config && { config: declared.config }),
      ...(declared.constraints && { constraints: declared.constraints }),
    },
    list: () => ({ tools }),
  };
}
