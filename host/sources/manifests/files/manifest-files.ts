import { lstatSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { basename, sep } from 'node:path';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import { linkOutOf, type Boundary } from '../../../core/files/links.ts';
import { fileErrorInWords } from '../../../core/system-error.ts';

export interface FoundFiles {
  /** Absolute, sorted. */
  readonly paths: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Deeper folders are not searched. */
const maxDepth = 8;

/** Whether the name is one of a manifest. Hidden files belong to editors, and a README is for people. */
export function isManifestPath(path: string): boolean {
  const name = basename(path);
  return /\.(md|ya?ml|script\.ts)$/.test(name) && !name.startsWith('.') && !/^readme\.md$/i.test(name);
}

/** "greet" for greet.md and greet.script.ts: files are usually named after their tool. */
export const nameOfManifest = (path: string): string => basename(path).split('.', 1)[0]!;

/**
 * All manifests in the folder and its subfolders, also through links, except that a link to a folder outside of the
 * boundary is listed itself: reading it reports it. A missing folder has none.
 */
export function findManifests(folder: string, boundary: Boundary): FoundFiles {
  const paths: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  const visit = (path: string, depth: number): void => {
    const real = realOf(path);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    if (linkOutOf(boundary, path)) {
      paths.push(path);
      return;
    }
    let entries: Dirent[];
    try {
      entries = readdirSync(path, { withFileTypes: true });
    } catch (cause) {
      diagnostics.push(unreadable(path, cause));
      return;
    }
    const prefix = path.endsWith(sep) ? path : path + sep;
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const child = prefix + entry.name;
      const kind = entry.isSymbolicLink() ? kindOfTarget(child) : entry;
      if (kind === undefined) {
        if (isManifestPath(child)) diagnostics.push(brokenLink(child));
      } else if (kind.isDirectory()) {
        if (depth < maxDepth) visit(child, depth + 1);
      } else if (isManifestPath(child)) paths.push(child);
    }
  };
  if (exists(folder)) visit(folder, 0);
  return { paths: paths.sort(), diagnostics };
}

function kindOfTarget(link: string): { isDirectory(): boolean } | undefined {
  try {
    return statSync(link, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function unreadable(path: string, cause: unknown): Diagnostic {
  return {
    severity: 'error',
    code: 'unreadable-folder',
    message: `the folder can't be read: ${fileErrorInWords(cause)}`,
    path,
  };
}

function brokenLink(path: string): Diagnostic {
  return {
    severity: 'error',
    code: 'broken-link',
    message: 'the target of this symbolic link does not exist',
    path,
    hint: 'delete it, or point it to a manifest',
  };
}
