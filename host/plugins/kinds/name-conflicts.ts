import type { Diagnostic } from '../../api/diagnostic.ts';
import type { PluginInstance } from '../instance.ts';
import { rows } from './kinds.ts';

type NamedParts = { readonly [name: string]: unknown };

/**
 * Without the tool sources and other named contributions whose names another running plugin has: the plugin that was loaded
 * first keeps a name. What is left out is among the diagnostics.
 */
export function withoutConflicts(
  instance: PluginInstance,
  others: readonly PluginInstance[],
): PluginInstance {
  const diagnostics: Diagnostic[] = [];
  const isFree = (kind: string, name: string, has: (other: PluginInstance) => boolean): boolean => {
    const holder = others.find(has);
    if (holder) diagnostics.push(duplicate(kind, name, instance, holder));
    return holder === undefined;
  };
  const toolSources = instance.toolSources.filter(({ id, module }) =>
    isFree('pack', module, (other) => other.toolSources.some((source) => source.id === id)),
  );
  const named = rows.flatMap(([kind, { named: called }]) => {
    if (called === undefined) return [];
    const partsOf = (one: PluginInstance): NamedParts => one[kind] as NamedParts;
    const free = Object.entries(partsOf(instance)).filter(([name]) =>
      isFree(called, name, (other) => Object.hasOwn(partsOf(other), name)),
    );
    return [[kind, Object.fromEntries(free)] as const];
  });
  return {
    ...instance,
    ...Object.fromEntries(named),
    toolSources,
    diagnostics: [...instance.diagnostics, ...diagnostics],
  };
}

function duplicate(
  kind: string,
  name: string,
  { manifest: loser }: PluginInstance,
  { manifest: winner }: PluginInstance,
): Diagnostic {
  return {
    severity: 'error',
    code: `duplicate-${kind.replaceAll(' ', '-')}`,
    message: `there are two ${kind}s "${name}": that of the plugin ${winner.id} (${winner.path}) is used, that of the plugin ${loser.id} is not`,
    path: loser.path,
    hint: 'give one of them another name',
  };
}
