import { join } from 'node:path';
import type { Surroundings } from '../../../api/surroundings.ts';
import { isFolder } from '../../../core/files/paths.ts';
import { namesInFolder } from '../../../core/platform/byte-names.ts';
import type { Completion } from '../../terminal/editor/completion.ts';
import { absolutePathAtPrompt } from '../../absolute-path.ts';
import { openMention } from './mentions.ts';

/** The files and folders that the mention before the cursor may mean; undefined where none is being written. */
export function completeMention(before: string, surroundings: Surroundings): Completion | undefined {
  const open = openMention(before);
  if (!open) return undefined;
  const { word, path } = open;
  if (path === '~') return { word, candidates: ['@~/'] };
  const start = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, path.length - start.length);
  const names = namesIn(absolutePathAtPrompt(folder === '' ? '.' : folder, surroundings), start);
  const quote = word.startsWith('@"') || names.some((name) => /\s/.test(name)) ? '"' : '';
  return { word, candidates: names.map((name) => candidate(`${folder}${name}`, quote)) };
}

/** A folder goes on, a file is complete. */
const candidate = (path: string, quote: string): string =>
  path.endsWith('/') ? `@${quote}${path}` : `@${quote}${path}${quote} `;

/**
 * Hidden ones only where the name begins with a dot; folders end with a slash. Names that can't be written are left out,
 * such as those that are not UTF-8.
 */
function namesIn(folder: string, start: string): readonly string[] {
  return allNamesIn(folder)
    .filter((name) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .filter((name) => !/["\p{C}]/u.test(name))
    .map((name) => (isFolder(join(folder, name)) ? `${name}/` : name))
    .sort();
}

function allNamesIn(folder: string): readonly string[] {
  try {
    return namesInFolder(folder);
  } catch {
    return [];
  }
}
