import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFile } from '../../../core/files/paths.ts';
import { splitWords } from '../../../core/text/shell-words.ts';
import { mentionOf } from './mentions.ts';

/** Longer pastes are texts. */
const maxLength = 20_000;

/**
 * What is written for a paste that consists of paths of files, as terminals paste what is dropped on them: mentions of
 * the files. Undefined for any other paste, and in a slash command.
 */
export function mentionDropped(pasted: string, before: string): string | undefined {
  if (before.startsWith('/') || pasted.length > maxLength) return undefined;
  const paths = droppedPaths(pasted.trim());
  if (paths === undefined) return undefined;
  const written = `${paths.map(mentionOf).join(' ')} `;
  if (before.endsWith('@')) return written.slice(1);
  return before === '' || /\s$/.test(before) ? written : ` ${written}`;
}

function droppedPaths(text: string): readonly string[] | undefined {
  const found = [[text], splitWords(text) ?? []].find((words) => words.length > 0 && words.every(isDropped));
  return found?.map(pathOf);
}

const isDropped = (word: string): boolean => {
  const path = pathOf(word);
  return isAbsolute(path) && !/["\n]/.test(path) && isFile(path);
};

function pathOf(word: string): string {
  if (!word.startsWith('file://')) return word;
  try {
    return fileURLToPath(word);
  } catch {
    return word;
  }
}
