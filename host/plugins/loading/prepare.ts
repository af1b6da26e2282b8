import type { JsonObject } from '../../api/result.ts';
import { PegboardError } from '../../core/errors.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginSettings } from '../../formats/config.ts';
import { missingRequirements, type Platform } from '../../core/requirements.ts';
import { checkSettings } from './settings.ts';

export interface PluginEnvironment {
  readonly environment: Platform;
  /** A variable of the environment, or a secret. */
  readonly resolve: (name: string) => string | undefined;
  readonly enabled: ReadonlyMap<string, PluginManifest>;
  /** Resolves when that plugin runs or has failed. */
  readonly startsUp: (id: string) => Promise<boolean>;
}

/** Returns the plugin's settings when all its requirements are met. Throws PEG_CONFIG that names everything missing. */
export async function prepare(
  manifest: PluginManifest,
  settings: PluginSettings | undefined,
  { environment, resolve, enabled, startsUp }: PluginEnvironment,
): Promise<JsonObject> {
  const missing = missingRequirements(manifest.requires, environment, resolve);
  const circle = circleFrom(manifest, enabled);
  if (circle) missing.push(`it requires itself: ${circle.join(' → ')}`);
  else {
    for (const id of manifest.requires.plugins ?? []) {
      if (!enabled.has(id)) missing.push(`the plugin ${id} doesn't exist or isn't enabled`);
      else if (!(await startsUp(id))) missing.push(`the plugin ${id}, which it needs, did not start`);
    }
  }
  if (missing.length > 0) {
    // A cycle is a mistake in the files; other requirements are merely not met yet.
    const data = circle ? undefined : { missing };
    throw new PegboardError('PEG_CONFIG', `${missing.join('; ')}.`, { data });
  }
  return checkSettings(manifest, settings?.config ?? {});
}

/** The cycle of requirements from a plugin back to itself, or undefined. */
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
