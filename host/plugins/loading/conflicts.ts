import type { Diagnostic } from '../../api/diagnostic.ts';
import type { ToolSource } from '../../api/source.ts';
import type { PluginInstance } from '../instance.ts';

/** The packs of an instance whose names are not taken by other running plugins, and diagnostics for the rest. */
export function conflictsOf(
  instance: PluginInstance | undefined,
  others: readonly PluginInstance[],
): { readonly sources: readonly ToolSource[]; readonly diagnostics: readonly Diagnostic[] } {
  const sources: ToolSource[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of instance?.sources ?? []) {
    const holder = others.find((other) => other.sources.some(({ id }) => id === source.id));
    if (!holder) sources.push(source);
    else diagnostics.push(duplicatePack(source.module, instance!, holder));
  }
  return { sources, diagnostics };
}

function duplicatePack(name: string, loser: PluginInstance, winner: PluginInstance): Diagnostic {
  return {
    severity: 'error',
    code: 'duplicate-pack',
    message: `there are two packs "${name}": that of ${winner.manifest.path} is used, this one is not`,
    path: loser.manifest.path,
    hint: 'give one of them another name',
  };
}
