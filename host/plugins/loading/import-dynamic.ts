import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Plugin, PluginContext } from '../../api/plugin.ts';
import type { Falsy, MaybePromise } from '../../api/result.ts';
import type { Tool } from '../../api/tool.ts';
import { PegboardError } from '../../core/errors.ts';
import { missingRequirements, type Platform } from '../../core/requirements.ts';
import { beginGeneration } from './generations.ts';
import type { PluginRequirements } from '../../formats/plugin.ts';
import type { PluginManifest } from './manifest.ts';

/** The default export of a file of tools: a tool, several tools, or a function that returns them. */
type Exported =
  | Tool
  | readonly (Tool | Falsy)[]
  | ((context: PluginContext) => MaybePromise<Made>)
  | undefined;
type Made = Tool | readonly (Tool | Falsy)[] | Falsy | void;

interface ToolModule {
  readonly default?: Exported;
  /** The file's tools are left out when `requires` isn't met. */
  readonly meta?: { readonly requires?: PluginRequirements };
}

/** Services for loading a pack. `report` receives what is left out, with the reason. */
export interface PackEnvironment {
  readonly environment: Platform;
  readonly resolve: (name: string) => string | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Imports a space's TypeScript files as a plugin. Rejects with what a file throws, or with PEG_CONFIG for a file without a tool. */
export async function importDynamicPack(
  manifest: PluginManifest,
  { environment, resolve, report }: PackEnvironment,
): Promise<Plugin> {
  const { dynamic, packs, folder } = manifest;
  const { root, files } = dynamic!;
  if (files.length === 0) return { setup: () => ({}) };
  beginGeneration(root);
  const modules = await Promise.all(
    files.map(async (file) => ({
      file,
      module: (await import(pathToFileURL(file).href)) as ToolModule,
    })),
  );
  const [pack] = Object.keys(packs);
  return {
    async setup(context) {
      const tools: (Tool | Falsy)[] = [];
      for (const { file, module } of modules) {
        // A folder may contain helper modules next to the tools.
        if (folder !== root && module.default === undefined) continue;
        const requires = module.meta?.requires ?? {};
        const missing = missingRequirements(requires, environment, resolve);
        if (missing.length > 0)
          report({
            severity: 'warning',
            code: 'missing-requirement',
            message: `${basename(file)} is left out: ${missing.join('; ')}`,
            path: file,
          });
        else {
          const made = await toolsOf(file, module.default, withVariables(context, requires, resolve));
          tools.push(...made.map((tool) => tool && { origin: file, ...tool }));
        }
      }
      return { packs: { [pack!]: tools } };
    },
  };
}

/** A file without a plugin.yaml may read the variables that it requires. */
function withVariables(
  context: PluginContext,
  { env = [], secrets = [], optional = [] }: PluginRequirements,
  resolve: (name: string) => string | undefined,
): PluginContext {
  const named = new Set([...env, ...secrets, ...optional]);
  const variable = (name: string): string | undefined => (named.has(name) ? resolve(name) : undefined);
  return Object.create(context, { variable: { value: variable, enumerable: true } }) as PluginContext;
}

async function toolsOf(
  file: string,
  exported: Exported,
  context: PluginContext,
): Promise<readonly (Tool | Falsy)[]> {
  const made = typeof exported === 'function' ? await exported(context) : exported;
  if (Array.isArray(made)) return made as readonly (Tool | Falsy)[];
  if (made) return [made as Tool];
  if (typeof exported === 'function') return [];
  throw new PegboardError(
    'PEG_CONFIG',
    `${file} has no tool as its default export: write "export default { name, description, parameters, execute }".`,
  );
}
