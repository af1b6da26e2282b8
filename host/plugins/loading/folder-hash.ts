import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { importedFiles } from './imported-files.ts';
import type { PluginManifest } from './manifest.ts';

/**
 * The hash of everything that a plugin runs. A file of a space is hashed with what it imports; if it could load more than
 * it names, with all code in its folder.
 */
export function hashCode({ folder, dynamic }: PluginManifest): string {
  if (!dynamic) return hashFolder(folder);
  if (dynamic.files.length === 0) return hashFolder(dynamic.root, spaceCode);
  const files = importedFiles(dynamic.files);
  return files ? hashFiles(dynamic.root, files) : hashFolder(dynamic.root, toolCode);
}

function hashFiles(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const isThere = existsSync(path) && statSync(path).isFile();
    const content = isThere ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'nothing';
    hash.update(`${JSON.stringify(relative(root, path))} ${content}\n`);
  }
  return hash.digest('hex');
}

/**
 * SHA-256 over the names and contents of all files of a folder except node_modules and hidden files. Throws when a file
 * can't be read, because a hash of only some files would be meaningless.
 */
function hashFolder(folder: string, only = /(?:)/): string {
  const hash = createHash('sha256');
  for (const path of filesIn(folder)) {
    const name = relative(folder, path).split(sep).join('/');
    if (!only.test(name)) continue;
    const content = createHash('sha256').update(readFileSync(path)).digest('hex');
    hash.update(`${JSON.stringify(name)} ${content}\n`);
  }
  return hash.digest('hex');
}

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
