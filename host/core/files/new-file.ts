import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PegboardError } from '../errors.ts';

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
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
    return path;
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? existsAlready(path) : cause;
  }
}

export const existsAlready = (path: string): PegboardError =>
  new PegboardError('PEG_USAGE', `${path} is there already; nothing was changed.`);
