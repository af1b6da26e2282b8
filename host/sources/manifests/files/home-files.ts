import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { identityFiles } from '../../../api/agent.ts';
import { configFile, localConfigFile, mcpFile } from '../../../core/files/config-files.ts';
import { linkOutOf, type Boundary } from '../../../core/files/links.ts';
import { isFile, isFolder, isWithin, realPathOf } from '../../../core/files/paths.ts';
import { findManifests, isManifestPath } from './manifest-files.ts';
import { findSkills, skillFile } from './skill-files.ts';

export type FileKind =
  | 'config'
  | 'mcp'
  | 'environment'
  | 'space'
  | 'agent'
  | 'plugin'
  | 'tool'
  | 'skill'
  | 'identity'
  | 'code';

/** A file that people write, and its kind. */
export interface HomeFile {
  readonly path: string;
  readonly kind: FileKind;
  /** The folder of its space or plugin. */
  readonly root: string;
  /** It lies in these folders, links included: the home, and `root`. */
  readonly boundary: Boundary;
  /** The first half of its tools' ids: the space or plugin. */
  readonly module: string;
}

/** All files of a home, in the order in which names are looked up. */
export function homeFiles(home: string): readonly HomeFile[] {
  const own = partOf(home, home);
  const plugins = foldersIn(join(home, 'plugins')).flatMap((root) => {
    const { single, tools, skills, code } = partOf(home, root);
    // A link may lead to a folder of anything.
    if (linkOutOf([home], root) && !isFile(join(root, 'plugin.yaml'))) return [];
    return [...single('plugin', 'plugin.yaml'), ...tools('tools'), ...skills('skills'), ...code('.')];
  });
  const spaces = foldersIn(join(home, 'spaces')).flatMap((root) => {
    const { single, tools, skills, code } = partOf(home, root);
    return [
      ...single('agent', 'agent', 'agent.yaml'),
      ...['agents', join('agent', 'agents')].flatMap((part) =>
        namesIn(join(root, part))
          .filter((name) => /\.ya?ml$/.test(name))
          .flatMap((name) => single('agent', part, name)),
      ),
      ...Object.values(identityFiles).flatMap((name) => single('identity', 'agent', name)),
      ...skills('agent', 'skills'),
      ...tools('agent', 'tools'),
      ...code('agent', 'tools'),
      ...single('space', 'space.manifest.json'),
    ];
  });
  return [
    ...own.single('config', configFile),
    ...own.single('config', localConfigFile),
    ...own.single('mcp', mcpFile),
    ...own.single('environment', '.env'),
    ...plugins,
    ...spaces,
  ];
}

/** Finds the files of a space, a plugin or the home itself. Paths are relative to `root`. */
function partOf(home: string, root: string) {
  const common = { root, boundary: home === root ? [home] : [home, root], module: basename(root) };
  const of = (kind: FileKind, paths: readonly string[]): HomeFile[] =>
    paths.map((path) => ({ ...common, path, kind }));
  const at = (way: readonly string[]): string => join(root, ...way);
  return {
    single: (kind: FileKind, ...way: string[]) => of(kind, isFile(at(way)) ? [at(way)] : []),
    tools: (...way: string[]) => of('tool', findManifests(at(way), common.boundary).paths),
    skills: (...way: string[]) => of('skill', findSkills(at(way))),
    code: (...way: string[]) => of('code', codeIn(at(way), common.boundary)),
  };
}

/** TypeScript and JavaScript, but for what was installed. A link to a folder outside of the boundary is listed itself. */
function codeIn(folder: string, boundary: Boundary): readonly string[] {
  const seen = new Set<string>();
  const visit = (place: string): readonly string[] => {
    const real = realPathOf(place);
    if (seen.has(real)) return [];
    seen.add(real);
    if (linkOutOf(boundary, place)) return [place];
    return namesIn(place).flatMap((name) => {
      const path = join(place, name);
      if (name.startsWith('.') || name === 'node_modules') return [];
      if (isFolder(path)) return visit(path);
      return /(?<!\.d)\.(?:[cm]?ts|[cm]?js)$/.test(name) ? [path] : [];
    });
  };
  return visit(folder);
}

/** The files at `path`, which is a file or a folder. A file outside the home's folders is classified by its name. */
export function filesAt(home: string, path: string): readonly HomeFile[] {
  const known = homeFiles(home).filter((file) => isWithin(path, file.path) || isWithin(file.path, path));
  if (known.length > 0) return known;
  if (!isFile(path))
    return findManifests(path, [home, path]).paths.map((file) => stray('tool', home, file, path));
  const kind = kindByName(path);
  if (kind !== undefined) return [stray(kind, home, path, dirname(path))];
  // Inside a home, Markdown elsewhere is notes.
  const elsewhere = isWithin(home, path) && !relative(home, path).split(sep).includes('tools');
  return isManifestPath(path) && !elsewhere ? [stray('tool', home, path, dirname(path))] : [];
}

const stray = (kind: FileKind, home: string, path: string, root: string): HomeFile => ({
  path,
  kind,
  root,
  boundary: [home, root],
  module: basename(root),
});

function kindByName(path: string): FileKind | undefined {
  const kinds: { readonly [name: string]: FileKind } = {
    [configFile]: 'config',
    [localConfigFile]: 'config',
    [mcpFile]: 'mcp',
    '.env': 'environment',
    'space.manifest.json': 'space',
    'agent.yaml': 'agent',
    'plugin.yaml': 'plugin',
    [skillFile]: 'skill',
    ...Object.fromEntries(Object.values(identityFiles).map((name) => [name, 'identity' as const])),
  };
  return kinds[basename(path)];
}

const foldersIn = (parent: string): string[] =>
  namesIn(parent)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(parent, name))
    .filter(isFolder);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
