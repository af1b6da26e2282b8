import { readdirSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { nothingDeclared, type DynamicPack, type PluginManifest } from './manifest.ts';
import { handlerCodeOf } from './space-code.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';

const isCode = (name: string): boolean =>
  /\.(ts|mts|js|mjs)$/.test(name) && !/\.(d|test|script)\.[mc]?ts$/.test(name);

/**
 * Finds the TypeScript tools of a home's spaces, as manifests, without running any code. Each file in agent/tools/ is a
 * pack, and so is each folder of files. Files that a manifest names as its handler are not tools; with all code that they
 * may import they are one unit of trust.
 */
export function findDynamicPacks(home: string): readonly PluginManifest[] {
  return foldersIn(join(home, 'spaces')).flatMap((space) => {
    const folder = join(home, 'spaces', space, 'agent', 'tools');
    let hasHandlers = namesHandler(join(home, 'spaces', space, 'space.manifest.json'));
    const codeIn = (place: string): string[] => {
      const code = entriesOf(place).filter((entry) => entry.isFile() && isCode(entry.name));
      // The manifests next to it are read only if there is code, because there may be thousands.
      const handlers = code.length === 0 ? new Set() : handlersIn(place);
      hasHandlers ||= handlers.size > 0;
      return code.map((entry) => join(place, entry.name)).filter((path) => !handlers.has(path));
    };
    const single = codeIn(folder).map((file) => {
      const name = relative(folder, file).replace(/\.\w+$/, '');
      return toManifest(home, folder, name, { space, root: folder, files: [file] });
    });
    const grouped = foldersIn(folder)
      .map((name) => ({ name, files: codeIn(join(folder, name)) }))
      .filter(({ files }) => files.length > 0)
      .map(({ name, files }) => toManifest(home, join(folder, name), name, { space, root: folder, files }));
    return [...single, ...grouped, ...(hasHandlers ? [handlerCodeOf(join(home, 'spaces', space))] : [])];
  });
}

function toManifest(home: string, folder: string, name: string, dynamic: DynamicPack): PluginManifest {
  const id = `spaces/${dynamic.space}/${name}`;
  return {
    id,
    version: '',
    description: `TypeScript tools of the space ${dynamic.space}`,
    entry: '',
    ...nothingDeclared,
    packs: { [name]: { description: `Tools of the space ${dynamic.space}: ${name}` } },
    folder,
    boundary: [home, dynamic.root],
    path: dynamic.files.length === 1 ? dynamic.files[0]! : folder,
    builtin: false,
    dynamic,
  };
}

/** Files that manifests in the folder run: `handler: ./file.ts#export`. */
function handlersIn(folder: string): ReadonlySet<string> {
  const manifests = entriesOf(folder)
    .filter((entry) => entry.isFile() && /\.(md|ya?ml)$/.test(entry.name))
    .map((entry) => readRegularFile(join(folder, entry.name)).toString('utf8'));
  const named = manifests.flatMap((text) => [...text.matchAll(/^\s*handler:\s*["']?([^#"'\s]+)#/gm)]);
  return new Set(named.map((match) => join(folder, match[1]!)));
}

function namesHandler(path: string): boolean {
  try {
    return readRegularFile(path).toString('utf8').includes('"handler"');
  } catch {
    return false;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

const foldersIn = (folder: string): string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => name);
