import { basename, extname, join } from 'node:path';
import type { AbsentTools } from '../api/source.ts';
import { PegboardError } from '../core/errors.ts';
import { findManifests } from '../sources/manifests/files/manifest-files.ts';
import type { PluginManifest } from './loading/manifest.ts';
import type { PluginState } from './plugin-state.ts';

/** The tools of plugins that should run and don't, as far as they are known without running code. */
export function absentTools(states: readonly PluginState[]): readonly AbsentTools[] {
  return states.flatMap((one) =>
    one.state === 'untrusted' || one.state === 'failed'
      ? modulesOf(one.manifest).map((module) => ({ ...module, why: (name: string) => whyAbsent(name, one) }))
      : [],
  );
}

/** The modules of a plugin, whether it runs or not. Without names: nobody knows them before the code runs. */
export function modulesOf({
  id,
  packs,
  sources,
  dynamic,
  folder,
  boundary,
}: PluginManifest): readonly Omit<AbsentTools, 'why'>[] {
  if (dynamic) return [{ module: dynamic.space, names: dynamic.files.map(nameOf) }];
  const written = findManifests(join(folder, 'tools'), boundary).paths.map(nameOf);
  return [
    ...Object.entries(packs).map(([module, { tools }]) => ({ module, ...(tools && { names: tools }) })),
    ...sources.map((module) => ({ module })),
    ...(written.length > 0 && !Object.hasOwn(packs, id) ? [{ module: id, names: written }] : []),
  ];
}

/** Files are usually named after their tool. */
const nameOf = (path: string): string => basename(path, extname(path));

const whyAbsent = (name: string, { manifest: { id }, state, problem = '' }: PluginState): PegboardError =>
  new PegboardError('PEG_TOOL_UNAVAILABLE', `${name} can't be used now: ${problem}`, {
    data: { plugin: id, ...(state === 'untrusted' ? { pending: true } : { leftOut: true }) },
  });
