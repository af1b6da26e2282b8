import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { packageRoot } from '../../host/core/files/paths.ts';
import type { ScriptLimits } from '../../plugins/builtin-scripts/sandbox/limits.ts';

const { config } = load(readFileSync(join(packageRoot, 'plugins/builtin-scripts/plugin.yaml'), 'utf8')) as {
  readonly config: { readonly properties: { readonly [name: string]: { readonly default: number } } };
};

/** Those of a home that sets none. */
export const defaultScriptLimits = Object.fromEntries(
  Object.entries(config.properties).map(([name, property]) => [name, property.default]),
) as unknown as ScriptLimits;
