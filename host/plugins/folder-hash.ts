import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { PluginManifest } from './manifest.ts';

/** Of everything that a plugin runs. A single file of a space may import what lies beside it, so that counts as well. */
export function hashCode({ folder, dynamic }: PluginManifest): string {
  if (!dynamic) return hashFolder(folder);
  return hashFolder(
    dynamic.root,
    dynamic.root === folder && dynamic.files.length === 0 ? spaceCode : toolCode,
  );
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
