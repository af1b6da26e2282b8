import { pluginAsks } from '../../approvals/plugin-asks.ts';
import { pegboard } from '../../core/own-command.ts';
import { plural } from '../../core/text/plural.ts';
import { shortSize } from '../../core/text/short-size.ts';
import type { PluginLock } from '../../plugins/elsewhere/lock.ts';
import type { StagedPlugin } from '../../plugins/elsewhere/stage.ts';
import type { PluginManifest } from '../../plugins/loading/manifest.ts';

/** What decides whether somebody wants a plugin, by label. */
export type PluginFacts = Readonly<Record<string, readonly string[]>>;

/** `lock`: absent for a plugin whose lock file can't be read. */
export function factsOf(manifest: PluginManifest, lock: PluginLock | undefined): PluginFacts {
  const asks = pluginAsks(manifest);
  return {
    tools: asks.tools,
    secrets: asks.secrets,
    'may read': asks.optional,
    variables: asks.variables,
    programs: asks.programs,
    needs: asks.plugins,
    commands: asks.commands.map((name) => `${pegboard} ${name}`),
    runs: asks.runs,
    packages: packagesIn(lock),
    rights: asks.hasCode ? ['its code has all of yours: your files, your programs, the network'] : [],
  };
}

const packagesIn = (lock: PluginLock | undefined): readonly string[] =>
  Object.entries(lock?.packages?.installed ?? {}).map(
    ([place, { version }]) =>
      `${place.replace(/^node_modules\//, '').replaceAll('/node_modules/', ' > ')} ${version}`,
  );

/** Where it came from. */
export const originOf = ({ lock, hasProvenance }: StagedPlugin): PluginFacts => ({
  from: [lock.resolved],
  publisher: lock.publisher === undefined ? [] : [lock.publisher],
  provenance: hasProvenance
    ? ['the registry has a statement of how it was built, which was not checked here']
    : [],
  integrity: lock.integrity === undefined ? [] : [lock.integrity],
});

export const sizeOf = ({ lock, bytes, packageBytes }: StagedPlugin): string => {
  const own = `${plural(Object.keys(lock.files).length, 'file')}, ${shortSize(bytes)}`;
  const { length } = packagesIn(lock);
  return length === 0 ? own : `${own}, and ${plural(length, 'package')}, ${shortSize(packageBytes)}`;
};

/** What is new in the facts, and what is gone: "+ dice.toss", "- dice.roll". */
export function changedFacts(before: PluginFacts, after: PluginFacts): PluginFacts {
  const labels = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    labels.map((label) => {
      const [old, now] = [before[label] ?? [], after[label] ?? []];
      return [
        label,
        [
          ...now.filter((one) => !old.includes(one)).map((one) => `+ ${one}`),
          ...old.filter((one) => !now.includes(one)).map((one) => `- ${one}`),
        ],
      ];
    }),
  );
}
