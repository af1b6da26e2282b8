import type { Diagnostic } from '../api/diagnostic.ts';
import type { PluginInstance } from './instance.ts';

/** What an instance brings by name, where each name belongs to one plugin of the host. */
type Named = Pick<PluginInstance, 'sources' | 'channels' | 'models'>;

/**
 * Without the packs, channels and model providers whose names another running plugin has: the plugin that was loaded
 * first keeps a name. What is left out is among the diagnostics.
 */
export function withoutConflicts(
  instance: PluginInstance,
  others: readonly PluginInstance[],
): PluginInstance {
  const diagnostics: Diagnostic[] = [];
  const isFree = (kind: string, name: string, has: (other: Named) => boolean): boolean => {
    const holder = others.find(has);
    if (holder) diagnostics.push(duplicate(kind, name, instance, holder));
    return holder === undefined;
  };
  const sources = instance.sources.filter(({ id, module }) =>
    isFree('pack', module, (other) => other.sources.some((source) => source.id === id)),
  );
  const channels = Object.entries(instance.channels).filter(([name]) =>
    isFree('channel', name, (other) => Object.hasOwn(other.channels, name)),
  );
  const models = Object.entries(instance.models).filter(([name]) =>
    isFree('model provider', name, (other) => Object.hasOwn(other.models, name)),
  );
  return {
    ...instance,
    sources,
    channels: Object.fromEntries(channels),
    models: Object.fromEntries(models),
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
