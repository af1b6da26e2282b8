import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import type { Fetched } from './fetched.ts';
import { maxDownloadBytes, maxOwnBytes } from './limits.ts';
import { integrityOf } from './npm.ts';
import { collectFiles, tooLarge, type FileCollector } from './package-files.ts';
import { readTgz } from './read-tar.ts';

/** Reads a folder without its packages and hidden files, or a .tgz. Throws PEG_DENIED, PEG_LIMIT and PEG_USAGE. */
export function readPath(path: string): Fetched {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() && path.endsWith('.tgz')) {
    if (found.size > maxDownloadBytes) throw tooLarge(path);
    const archive = readFileSync(path);
    return { files: readTgz(archive, path), resolved: path, integrity: integrityOf(archive) };
  }
  if (!found?.isDirectory())
    throw new PegboardError(
      'PEG_USAGE',
      `${path} is neither a folder nor a .tgz that \`npm pack\` has made.`,
    );
  const collector = collectFiles(path);
  addFolder(path, '', collector);
  return { files: collector.files, resolved: path };
}

function addFolder(root: string, within: string, collector: FileCollector): void {
  const entries = readdirSync(join(root, within), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
    const name = within === '' ? entry.name : `${within}/${entry.name}`;
    const path = join(root, name);
    if (entry.isDirectory()) addFolder(root, name, collector);
    else if (entry.isFile()) {
      const { size, mode } = statSync(path);
      if (size > maxOwnBytes) throw tooLarge(root);
      collector.add(name, { content: readFileSync(path), isExecutable: (mode & 0o100) !== 0 });
    } else
      throw new PegboardError(
        'PEG_DENIED',
        `${path} is ${entry.isSymbolicLink() ? 'a link' : 'no regular file'} (${shownLine(name)}): plugins consist of files and folders.`,
      );
  }
}
