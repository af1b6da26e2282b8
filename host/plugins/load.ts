import type { Diagnostic } from '../api/diagnostic.ts';
import { PegboardError, messageOf } from '../core/errors.ts';
import type { PluginServices } from './context.ts';
import { discoverPlugins } from './discover.ts';
import { importPlugin } from './import.ts';
import { startPlugin, type PluginInstance } from './instance.ts';
import type { PluginManifest, PluginSettings } from './manifest.ts';
import { withoutRivals } from './rivals.ts';
import { missingRequirements, type Environment } from './requirements.ts';
import { checkSettings, unknownSettings } from './settings.ts';

export interface LoadOptions extends PluginServices {
  /** By plugin id: the part `plugins:` of pegboard.yaml. */
  readonly settings: { readonly [id: string]: PluginSettings };
  readonly environment: Environment;
}

/** All plugins of a host. Disposing retires those that started, dependents first. */
export interface LoadedPlugins extends AsyncDisposable {
  /** Every plugin found, also disabled and failed ones. */
  readonly manifests: readonly PluginManifest[];
  /** Those that run, after the plugins that they require. */
  readonly instances: readonly PluginInstance[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Starts every enabled plugin, side by side, each after those it requires. One that fails or hangs costs the others nothing. */
export async function loadPlugins(options: LoadOptions): Promise<LoadedPlugins> {
  const { settings, log } = options;
  const discovered = await discoverPlugins(options.home);
  const diagnostics: Diagnostic[] = [...discovered.diagnostics];
  const enabled = new Map(
    discovered.manifests
      .filter(({ id }) => settings[id]?.enabled !== false)
      .map((manifest) => [manifest.id, manifest]),
  );
  const started = new Map<string, Promise<PluginInstance | undefined>>();
  const instances: PluginInstance[] = [];

  const start = async (manifest: PluginManifest): Promise<PluginInstance | undefined> => {
    try {
      await requirementsOf(manifest);
      const config = await checkSettings(manifest, settings[manifest.id]?.config ?? {});
      const instance = await startPlugin(manifest, () => importPlugin(manifest), config, options);
      instances.push(instance);
      diagnostics.push(...instance.diagnostics);
      return instance;
    } catch (cause) {
      log.error(`the plugin ${manifest.id} did not start`, { cause });
      diagnostics.push(toDiagnostic(manifest, cause));
      return undefined;
    }
  };

  const requirementsOf = async (manifest: PluginManifest): Promise<void> => {
    const missing = missingRequirements(manifest.requires, options.environment);
    const circle = circleFrom(manifest, enabled);
    if (circle) missing.push(`it requires itself: ${circle.join(' → ')}`);
    else {
      for (const id of manifest.requires.plugins ?? []) {
        const needed = enabled.get(id);
        if (!needed) missing.push(`the plugin ${id} is not there or not enabled`);
        else if (!(await startOnce(needed))) missing.push(`the plugin ${id}, which it needs, did not start`);
      }
    }
    if (missing.length > 0) throw new PegboardError('PEG_CONFIG', `${missing.join('; ')}.`);
  };

  const startOnce = (manifest: PluginManifest): Promise<PluginInstance | undefined> => {
    const running = started.get(manifest.id) ?? start(manifest);
    started.set(manifest.id, running);
    return running;
  };

  await Promise.all([...enabled.values()].map(startOnce));
  const running = withoutRivals(instances, discovered.manifests);
  return {
    manifests: discovered.manifests,
    instances: running.instances,
    diagnostics: [...diagnostics, ...running.diagnostics, ...unknownSettings(settings, discovered.manifests)],
    async [Symbol.asyncDispose]() {
      for (const instance of instances.toReversed()) await instance[Symbol.asyncDispose]();
    },
  };
}

/** The way on which a plugin comes to require itself, or undefined. */
function circleFrom(
  manifest: PluginManifest,
  known: ReadonlyMap<string, PluginManifest>,
  way: readonly string[] = [],
): readonly string[] | undefined {
  const here = [...way, manifest.id];
  if (way.includes(manifest.id)) return here;
  for (const id of manifest.requires.plugins ?? []) {
    const next = known.get(id);
    const circle = next && circleFrom(next, known, here);
    if (circle) return circle;
  }
  return undefined;
}

function toDiagnostic({ id, path }: PluginManifest, cause: unknown): Diagnostic {
  return {
    severity: 'error',
    code: 'plugin-failed',
    message: `the plugin ${id} did not start: ${messageOf(cause)}`,
    path,
  };
}
