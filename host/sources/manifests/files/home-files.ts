import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { identityFiles } from '../../../api/agent.ts';
import { isFile, isFolder, isWithin } from '../../../core/files/paths.ts';
import { findManifests, isManifestPath } from './manifest-files.ts';
import { findSkills, skillFile } from './skill-files.ts';

export type FileKind =
  | 'config'
  | 'mcp'
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
  /** The first half of its tools' ids: the space or plugin. */
  readonly module: string;
}

/** All of a home, in the order in which names are looked up. */
export function homeFiles(home: string): readonly HomeFile[] {
  const plugins = foldersIn(join(home, 'plugins')).flatMap((root) => [
    ...single(join(root, 'plugin.yaml'), 'plugin', root),
    ...tools(join(root, 'tools'), root),
    ...skills(join(root, 'skills'), root),
    ...code(root, root),
  ]);
  const spaces = foldersIn(join(home, 'spaces')).flatMap((root) => [
    ...single(join(root, 'agent', 'agent.yaml'), 'agent', root),
    ...['agents', join('agent', 'agents')].flatMap((part) =>
      namesIn(join(root, part))
        .filter((name) => /\.ya?ml$/.test(name))
        .flatMap((name) => single(join(root, part, name), 'agent', root)),
    ),
    ...Object.values(identityFiles).flatMap((name) => single(join(root, 'agent', name), 'identity', root)),
    ...skills(join(root, 'agent', 'skills'), root),
    ...tools(join(root, 'agent', 'tools'), root),
    ...code(join(root, 'agent', 'tools'), root),
    ...single(join(root, 'space.manifest.json'), 'space', root),
  ]);
  return [
    ...single(join(home, 'pegboard.yaml'), 'config', home),
    ...single(join(home, '.mcp.json'), 'mcp', home),
    ...plugins,
    ...spaces,
  ];
}

function single(path: string, kind: FileKind, root: string): HomeFile[] {
  return isFile(path) ? [{ path, kind, root, module: basename(root) }] : [];
}

function tools(folder: string, root: string): HomeFile[] {
  return findManifests(folder).paths.map((path) => ({ path, kind: 'tool', root, module: basename(root) }));
}

function skills(folder: string, root: string): HomeFile[] {
  return findSkills(folder).map((path) => ({ path, kind: 'skill', root, module: basename(root) }));
}

/** TypeScript and JavaScript, but for what was installed. */
function code(folder: string, root: string): HomeFile[] {
  return namesIn(folder).flatMap((name): HomeFile[] => {
    const path = join(folder, name);
    if (name.startsWith('.') || name === 'node_modules') return [];
    if (isFolder(path)) return code(path, root);
    return /(?<!\.d)\.(?:[cm]?ts|[cm]?js)$/.test(name)
      ? [{ path, kind: 'code', root, module: basename(root) }]
      : [];
  });
}

/** The files that `path`, a file or a folder, names. A file outside the home's folders is classified by its name. */
export function filesAt(home: string, path: string): readonly HomeFile[] {
  const known = homeFiles(home).filter((file) => isWithin(path, file.path));
  if (known.length > 0) return known;
  if (!isFile(path)) return findManifests(path).paths.map((file) => strayTool(file, path));
  const kind = kindByName(path);
  if (kind !== undefined) return [{ path, kind, root: dirname(path), module: basename(dirname(path)) }];
  // Inside a home, Markdown elsewhere is notes.
  const elsewhere = isWithin(home, path) && !relative(home, path).split(sep).includes('tools');
  return isManifestPath(path) && !elsewhere ? [strayTool(path, dirname(path))] : [];
}

const strayTool = (path: string, root: string): HomeFile => ({
  path,
  kind: 'tool',
  root,
  module: basename(root),
});

function kindByName(path: string): FileKind | undefined {
  const kinds: { readonly [name: string]: FileKind } = {
    'pegboard.yaml': 'config',
    '.mcp.json': 'mcp',
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
