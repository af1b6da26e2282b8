import { lstatSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { realPathOf } from 'pegboard/files';
import {
  agentTemplate,
  type HomeFile,
  homeFiles,
  readGitIndex,
  type ScaffoldPlace,
  skillTemplate,
  spaceTemplate,
  type Template,
  toolTemplate,
} from 'pegboard/home';
import { isWithin, packageRoot } from 'pegboard/kit';
import type { ManifestKind } from './wire.ts';

/** A file of the home that is a manifest, or will be. */
export interface ManifestFile extends HomeFile {
  readonly kind: ManifestKind;
  /** In the home, with "/" between its parts. */
  readonly name: string;
}

const kinds: ReadonlySet<string> = new Set<ManifestKind>(['tool', 'agent', 'skill', 'space', 'plugin']);

/** Every manifest of the home, by path. */
export const manifestsOf = (home: string): readonly ManifestFile[] =>
  homeFiles(home)
    .filter((file): file is HomeFile & { readonly kind: ManifestKind } => kinds.has(file.kind))
    .map((file) => ({ ...file, name: relative(home, file.path).split(sep).join('/') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * The manifest that a browser names: one that is there, or one that a template makes. Nothing else can be reached,
 * however the name is written. Throws PEG_USAGE.
 */
export function findManifest(home: string, name: string): ManifestFile {
  const found = manifestsOf(home).find((file) => file.name === name) ?? newManifest(home, name);
  if (found) return found;
  throw new PegboardError('PEG_USAGE', 'There is no manifest of this name, and none can be made by it.');
}

/** What `pegboard new` makes of each kind. */
const templates: {
  readonly [kind in Exclude<ManifestKind, 'plugin'>]: (
    home: string,
    name: string,
    place: ScaffoldPlace,
  ) => Template;
} = { tool: toolTemplate, agent: agentTemplate, skill: skillTemplate, space: spaceTemplate };

/** Throws PEG_USAGE for an invalid name, an unknown kind, and a file that is there. */
export function templateOf(home: string, kind: string, name: string, space: string): Template {
  if (!Object.hasOwn(templates, kind))
    throw new PegboardError('PEG_USAGE', `There is no template for "${kind}".`);
  return templates[kind as keyof typeof templates](home, name, space === '' ? {} : { space });
}

const word = '[a-z0-9]+(?:-[a-z0-9]+)*';
/** Where templates put their files. */
const places: readonly (readonly [ManifestKind, RegExp])[] = [
  ['tool', new RegExp(`^spaces/(${word})/agent/tools/${word}\\.md$`)],
  ['skill', new RegExp(`^spaces/(${word})/agent/skills/${word}\\.md$`)],
  ['agent', new RegExp(`^spaces/(${word})/(?:agent/agent|agents/${word})\\.yaml$`)],
  ['space', new RegExp(`^spaces/(${word})/space\\.manifest\\.json$`)],
];

function newManifest(home: string, name: string): ManifestFile | undefined {
  for (const [kind, pattern] of places) {
    const space = pattern.exec(name)?.[1];
    if (space === undefined) continue;
    const root = join(home, 'spaces', space);
    return { kind, name, path: join(home, ...name.split('/')), root, boundary: [home, root], module: space };
  }
  return undefined;
}

/** Why a manifest can't be changed on the page; undefined when it can. */
export function lockOf(
  host: Pick<Host, 'home' | 'spaces'>,
  { path, root, name }: ManifestFile,
): string | undefined {
  const { home, spaces } = host;
  if (isWithin(join(home, 'plugins'), path))
    return 'It belongs to a plugin, whose files are approved together. Change it in an editor; the plugin then waits under Approvals.';
  if (realPathOf(path) !== join(realPathOf(home), ...name.split('/')) || isLink(path))
    return 'It is reached through a link. Change it where it is.';
  if (spaces.isForeign(path) || spaces.all.some(({ folder, pending }) => folder === root && pending?.whole))
    return 'Others write this space, and you approve what they change. Make a manifest of your own in another space.';
  if (isShipped(home, name))
    return 'It comes with Pegboard, and the next update would change it again. Make one of your own instead.';
  return undefined;
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** In a clone of Pegboard, what git has checked out. */
function isShipped(home: string, name: string): boolean {
  if (realPathOf(home) !== realPathOf(packageRoot)) return false;
  return readGitIndex(home)?.has(name) ?? false;
}

/** The folder of the manifest, with no link on the way. */
export const realFolderOf = (home: string, { name }: ManifestFile): string =>
  dirname(join(realPathOf(home), ...name.split('/')));
