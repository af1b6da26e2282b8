import type { ModuleDeclaration, Snapshot, SourceKind } from '../api/source.ts';

/** A module as far as an agent's file can be compared with it. */
export interface KnownModule {
  readonly kind: SourceKind;
  /** Names of its tools; undefined while they aren't known, as of a server that was never connected. */
  readonly actions: readonly string[] | undefined;
  readonly declares: ModuleDeclaration;
}

/** An agent that names it under `tools.modules` may start workers without being a coordinator. */
const spawnModule = 'agent_spawn';

export type KnownModules = ReadonlyMap<string, KnownModule>;

/** Those that are registered; several sources may make up one. */
export function modulesOf({ sources, tools }: Snapshot): KnownModules {
  const known = new Map<string, KnownModule>([
    [spawnModule, { kind: 'builtin', actions: ['agent'], declares: {} }],
  ]);
  const names = new Map<string, string[]>();
  for (const { name, source } of tools.values()) {
    const listed = names.get(source.id);
    if (listed) listed.push(name);
    else names.set(source.id, [name]);
  }
  for (const { id, kind, module, declares = {}, isMeta } of sources) {
    if (isMeta) continue;
    const before = known.get(module);
    const own = names.get(id) ?? [];
    // A server that lists nothing may not have been asked yet; a folder that holds nothing holds nothing.
    const isUnknown = (kind === 'mcp' && own.length === 0) || (before && before.actions === undefined);
    known.set(module, {
      kind: before?.kind ?? kind,
      actions: isUnknown ? undefined : [...(before?.actions ?? []), ...own],
      declares: { ...declares, ...before?.declares },
    });
  }
  return known;
}
