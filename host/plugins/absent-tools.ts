import { basename, extname, join } from 'node:path';
import type { AbsentTools } from '../api/source.ts';
import { PegboardError } from '../core/errors.ts';
import { pegboard } from '../core/own-command.ts';
import { metaSource } from '../tools/meta.ts';
import { findManifests } from '../sources/manifests/files/manifest-files.ts';
import type { PluginManifest } from './loading/manifest.ts';
import type { PluginState } from './plugin-state.ts';

/** The tools of plugins that don't run, as far as they are known without running code. */
export function absentTools(states: readonly PluginState[]): readonly AbsentTools[] {
  return states
    .filter(({ state }) => state !== 'running')
    .flatMap((one) =>
      modulesOf(one.manifest).map((module) => ({ ...module, why: (name: string) => whyAbsent(name, one) })),
    );
}

/** The modules of a plugin, whether it runs or not. Without names: nobody knows them before the code runs. */
export function modulesOf({
  id,
  packs,
  sources,
  metaTools,
  dynamic,
  folder,
  boundary,
}: PluginManifest): readonly Omit<AbsentTools, 'why'>[] {
  if (dynamic) return [{ module: dynamic.space, names: dynamic.files.map(nameOf) }];
  const written = findManifests(join(folder, 'tools'), boundary).paths.map(nameOf);
  return [
    ...Object.entries(packs).map(([module, { tools }]) => ({ module, ...(tools && { names: tools }) })),
    ...sources.map((module) => ({ module })),
    ...(metaTools.length > 0 ? [{ module: metaSource, names: metaTools }] : []),
    ...(written.length > 0 && !Object.hasOwn(packs, id) ? [{ module: id, names: written }] : []),
  ];
}

/** Files are usually named after their tool. */
const nameOf = (path: string): string => basename(path, extname(path));

function whyAbsent(name: string, { manifest: { id }, state, problem = '' }: PluginState): PegboardError {
  const why = state === 'disabled' ? isOff(id) : problem;
  return new PegboardError('PEG_TOOL_UNAVAILABLE', `${name} can't be used now: ${why}`, {
    data: { plugin: id, ...(state === 'untrusted' ? { pending: true } : { leftOut: true }) },
  });
}

/** A sentence without its beginning. */
export const isOff = (plugin: string): string =>
  `the plugin ${plugin} is off, \`${pegboard} plugins enable ${plugin}\` turns it on.`;
