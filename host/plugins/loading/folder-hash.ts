import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { importedFiles } from './imported-files.ts';
import type { PluginManifest } from './manifest.ts';

/**
 * Of everything that a plugin runs. A file of a space counts with what it imports; where it could load more than it names,
 * with all code that lies beside it.
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
 * SHA-256 over the names and contents of all files of a folder but those of node_modules and hidden ones. Throws when
 * something can't be read: a hash of half the files would say nothing.
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

/** In the order of their names, at any depth. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      // A link's target may lie anywhere: what it leads to is what would run.
      return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
    });
}

const toolCode = /\.(ts|mts|cts|js|mjs|cjs|json)$/;
/** Agents keep JSON of their own in a space. */
const spaceCode = /\.(ts|mts|cts|js|mjs|cjs)$|^agents?\/.*\.json$/;
