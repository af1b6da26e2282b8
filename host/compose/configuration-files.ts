import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { configFile, mcpFile } from '../core/files/config-files.ts';
import { tryReadRegularFile } from '../core/files/regular-file.ts';
import type { FileHashes } from '../store/host-files.ts';

/** Of a space: its agents, tools and skills, and code anywhere. Its other files may be data. */
const ofSpaces = /^spaces\/[^/]+\/(space\.manifest\.json$|(agents?|skills)\/)|\.(ts|mts|cts|js|mjs|cjs)$/;

/**
 * Hashes of the files that decide what a home does, by their paths in it: configuration, spaces and plugins. Without what
 * is a machine's own, what git or npm keeps beside them, and what agents write in their workspaces.
 */
export async function hashConfiguration(home: string): Promise<FileHashes> {
  const paths = [configFile, mcpFile];
  for await (const path of filesIn(home, 'spaces')) if (ofSpaces.test(path)) paths.push(path);
  for await (const path of filesIn(home, 'plugins')) paths.push(path);
  const hashes: { [path: string]: string } = {};
  for (const path of paths.sort()) {
    const content = tryReadRegularFile(join(home, path));
    if (content) hashes[path] = createHash('sha256').update(content).digest('hex').slice(0, 16);
  }
  return hashes;
}

/** Links to files are followed, and to folders only where they stand for a whole space or plugin. */
async function* filesIn(home: string, folder: string, depth = 0): AsyncIterable<string> {
  const entries = await readdir(join(home, folder), { withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries) {
    const { name } = entry;
    const path = `${folder}/${name}`;
    if (name.startsWith('.') || name === 'node_modules') continue;
    if (depth === 1 && name === 'workspace' && folder.startsWith('spaces/')) continue;
    const target = entry.isSymbolicLink() ? await stat(join(home, path)).catch(() => undefined) : entry;
    if (target?.isFile()) yield path;
    else if (target?.isDirectory() && (depth === 0 || !entry.isSymbolicLink()))
      yield* filesIn(home, path, depth + 1);
  }
}

/** One short text for all of it: two homes with the same one say the same. */
export const hashOfAll = (files: FileHashes): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest('hex')
    .slice(0, 8);
