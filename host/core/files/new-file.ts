import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PegboardError } from '../errors.ts';
import { createFile } from './write-file-atomically.ts';

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Throws PEG_USAGE for an invalid name of a space, tool, skill or agent. */
export function checkName(what: string, name: string): void {
  if (kebabCase.test(name) && name.length <= 64) return;
  const words = name.toLowerCase().match(/[a-z0-9]+/g);
  const hint = words ? ` Try "${words.join('-').slice(0, 64)}".` : '';
  throw new PegboardError(
    'PEG_USAGE',
    `"${name}" can't be the name of ${what}: lower-case words with hyphens between, at most 64 characters.${hint}`,
  );
}

/** "daily-standup" → "Daily Standup" */
export const titleOf = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** A file that could be made, to be edited. */
export interface Template {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** Writes it and returns its path. Throws PEG_USAGE if it exists. */
export const writeTemplate = ({ path, text }: Template): Promise<string> => writeNew(path, text);

/** Writes a new file and returns its path. Throws PEG_USAGE if it exists. */
export async function writeNew(path: string, text: string): Promise<string> {
  const [made] = await writeMissing([{ path, text }]);
  if (made === undefined) throw existsAlready(path);
  return path;
}

/** Writes those that don't exist yet, and returns their paths. When one fails, none of them and of their folders stays. */
export async function writeMissing(templates: readonly Template[]): Promise<readonly string[]> {
  await using undo = new AsyncDisposableStack();
  const written: string[] = [];
  for (const { path, text } of templates) {
    const outermost = await mkdir(dirname(path), { recursive: true });
    if (outermost !== undefined) undo.defer(() => removeEmpty(dirname(path), outermost));
    try {
      await createFile(path, text);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      continue;
    }
    undo.defer(() => rm(path, { force: true }).catch(() => {}));
    written.push(path);
  }
  undo.move();
  return written;
}

/** Removes the empty folders from `folder` up to `outermost`. */
async function removeEmpty(folder: string, outermost: string): Promise<void> {
  try {
    for (let at = folder; at.length >= outermost.length; at = dirname(at)) await rmdir(at);
  } catch {
    // Somebody has put something there.
  }
}

export const existsAlready = (path: string): PegboardError =>
  new PegboardError('PEG_USAGE', `${path} is there already; nothing was changed.`);
