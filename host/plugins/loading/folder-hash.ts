import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, statSync, type Stats } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { linkOutOf, type Boundary } from '../../core/files/links.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { importedFiles } from './imported-files.ts';
import type { PluginManifest } from './manifest.ts';

/**
 * The hash of everything that a plugin runs. A file of a space is hashed with what it imports; if it could load more than
 * it names, with all code in its folder.
 */
export function hashCode(manifest: Code & Pick<PluginManifest, 'boundary'>): string {
  const root = codeRoot(manifest);
  const hash = createHash('sha256');
  for (const path of codeFiles(manifest))
    hash.update(`${JSON.stringify(nameIn(root, path))} ${hashFile(path, manifest.boundary)}\n`);
  return hash.digest('hex');
}

type Code = Pick<PluginManifest, 'folder' | 'dynamic'>;

/** The folder that names of approved files are relative to. */
export const codeRoot = ({ folder, dynamic }: Code): string => dynamic?.root ?? folder;

/**
 * The files that `hashCode` covers, as absolute paths in a stable order: of a folder all but node_modules and hidden
 * files. Files that are imported and missing are among them.
 */
export function codeFiles({ folder, dynamic }: Code): readonly string[] {
  if (!dynamic) return filesIn(folder);
  const all = (pattern: RegExp): string[] =>
    filesIn(dynamic.root).filter((path) => pattern.test(nameIn(dynamic.root, path)));
  if (dynamic.files.length === 0) return all(spaceCode);
  return importedFiles(dynamic.files) ?? all(toolCode);
}

/** Throws PEG_CONFIG with `unreadable`, its path, for what is there and can't be read, because a hash without it would be meaningless. */
function hashFile(path: string, boundary: Boundary): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // The folder that an import names has no code of its own.
  if (!found || found.isDirectory()) return 'nothing';
  try {
    const target = found.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : found;
    if (!target?.isFile()) throw new Error(noFile(target));
    if (found.isSymbolicLink() && linkOutOf(boundary, path))
      throw new Error('it is a link out of the home. Delete the link, and copy the file to its place.');
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch (cause) {
    throw new PegboardError('PEG_CONFIG', `${path} can't be approved: ${messageOf(cause)}`, {
      cause,
      data: { unreadable: path },
    });
  }
}

const noFile = (target: Stats | undefined): string =>
  target?.isDirectory()
    ? 'it is a link to a folder. Delete the link, and copy the folder to its place.'
    : target
      ? 'it is not a regular file. Delete it.'
      : 'it is a link that leads nowhere. Delete it.';

/** The name of a file of `codeFiles` in that folder or space, with "/" between folders. */
export const nameIn = (root: string, path: string): string => relative(root, path).split(sep).join('/');

/** All files at any depth, sorted by name. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      // A link may lead anywhere, and its target is what would run.
      return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
    });
}

const toolCode = /\.(ts|mts|cts|js|mjs|cjs|json)$/;
/** Of JSON only files under agent/ count, because agents write their own JSON elsewhere in a space. */
const spaceCode = /\.(ts|mts|cts|js|mjs|cjs)$|^agents?\/.*\.json$/;
