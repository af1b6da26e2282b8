import type { Diagnostic } from '../../api/diagnostic.ts';
import type { JsonObject, JsonSchema } from '../../api/result.ts';
import { PegboardError } from '../../core/errors.ts';
import { nearest } from '../../core/documents/nearest.ts';
import { copyJson, validatorOf } from '../../core/documents/schema.ts';
import type { PluginManifest } from './manifest.ts';

/** The plugin's settings, checked, with defaults filled in. Throws PEG_CONFIG, naming each key. */
export async function checkSettings(manifest: PluginManifest, written: JsonObject): Promise<JsonObject> {
  const { id, config: schema } = manifest;
  const given = Object.keys(written);
  if (!schema) {
    if (given.length === 0) return {};
    throw new PegboardError(
      'PEG_CONFIG',
      `plugins.${id}.config: the plugin takes no settings. Remove ${given.join(', ')}.`,
    );
  }
  // Compiling the schema would take a fifth of a command's startup time.
  if (given.length === 0 && schema['required'] === undefined) return withDefaults(schema, {}) as JsonObject;
  const settings = copyJson(written);
  const problems = (await validatorOf(schema))(settings);
  if (problems.length === 0) return settings;
  const lines = problems.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
  throw new PegboardError('PEG_CONFIG', `plugins.${id}.config: ${lines.join('; ')}.`);
}

/** Warnings about settings of plugins that don't exist, which are usually misspelt ids. */
export function unknownSettings(
  settings: { readonly [id: string]: unknown },
  manifests: readonly PluginManifest[],
): readonly Diagnostic[] {
  const known = manifests.map(({ id }) => id);
  return Object.keys(settings)
    .filter((id) => !known.includes(id))
    .map((id) => {
      const [near] = nearest(id, known);
      return {
        severity: 'warning',
        code: 'unknown-plugin',
        message: `the configuration has settings for the plugin "${id}", but there is no such plugin`,
        ...(near !== undefined && { hint: `${id} → ${near}?` }),
      };
    });
}

/** A copy with the defaults that validation would fill in. */
function withDefaults(schema: JsonSchema, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return copyJson(value);
  const properties = (schema['properties'] ?? {}) as { readonly [name: string]: JsonSchema };
  const filled: Record<string, unknown> = copyJson(value as Record<string, unknown>);
  for (const [name, property] of Object.entries(properties)) {
    const own = filled[name] ?? property['default'];
    if (own !== undefined) filled[name] = withDefaults(property, own);
  }
  return filled;
}
