import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin, packageRoot } from '../paths.ts';

export interface GuardedPaths {
  /** Nothing of it is seen. */
  readonly hidden: readonly string[];
  /** Seen, and left as it is: it decides what runs outside the sandbox. */
  readonly readOnly: readonly string[];
}

/** What other programs run of a folder that somebody works in. */
const steering = ['.git/hooks', '.git/config', '.husky', '.vscode', '.idea', '.claude', '.cursor', '.envrc'];
/** Of a home. An empty one says nothing. */
const configuration = ['pegboard.yaml', '.mcp.json'];

/**
 * What of a home, of its spaces and of Pegboard itself must not be written although it lies within a folder that may be.
 * A mount needs a place, so folders and files of configuration that are missing there are made, empty.
 */
export function guardedPaths(home: string, writable: readonly string[]): GuardedPaths {
  const isWritable = (path: string): boolean => writable.some((folder) => isWithin(folder, path));
  const readOnly = writable.flatMap((path) => steering.map((name) => join(path, name)).filter(existsSync));
  if (isWritable(home)) {
    for (const name of configuration) readOnly.push(file(join(home, name), ''));
    for (const name of ['spaces', 'plugins']) readOnly.push(folder(join(home, name)));
  } else {
    for (const space of spacesOf(home)) {
      const parts = ['agent', 'agents'].map((name) => join(space, name));
      readOnly.push(...(isWritable(space) ? ofSpace(space) : parts.filter(existsSync)));
    }
    readOnly.push(...[join(home, 'plugins')].filter(existsSync));
  }
  if (isWritable(packageRoot)) readOnly.push(packageRoot);
  // What isn't within reach is not brought into it.
  return { hidden: [join(home, 'data')], readOnly: readOnly.filter((path) => overlaps(path, writable)) };
}

const overlaps = (path: string, folders: readonly string[]): boolean =>
  folders.some((other) => isWithin(other, path) || isWithin(path, other));

function spacesOf(home: string): string[] {
  const root = join(home, 'spaces');
  try {
    return readdirSync(root).map((name) => join(root, name));
  } catch {
    return [];
  }
}

const ofSpace = (space: string): string[] => [
  folder(join(space, 'agent')),
  folder(join(space, 'agents')),
  file(join(space, 'space.manifest.json'), `${JSON.stringify({ id: basename(space) }, null, 2)}\n`),
];

function folder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

function file(path: string, text: string): string {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  }
  return path;
}
