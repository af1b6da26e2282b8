import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import type { PickedFile } from '../../api/ask.ts';
import { messageOf } from '../../core/errors.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { showForm, type FormPlace } from './show-form.ts';

/** Files of the person at the terminal, by their paths. Empty: none was chosen. Undefined: cancelled. */
export async function askForFiles(
  message: string,
  multiple: boolean,
  place: FormPlace,
): Promise<readonly PickedFile[] | undefined> {
  const path = await askForPath(message, place);
  if (path === undefined) return undefined;
  if (path === '') return [];
  const others = multiple ? await askForFiles('Another file?', multiple, place) : [];
  return others && [toPicked(path), ...others];
}

async function askForPath(message: string, place: FormPlace): Promise<string | undefined> {
  const written = await showForm(place, ({ text }, streams) =>
    text({
      ...streams,
      message,
      placeholder: 'The path of a file, or Enter for none',
      validate: (value) => problemWith(value ?? ''),
    }),
  );
  return written === undefined ? undefined : (written ?? '').trim();
}

/** Why it can't be chosen. */
function problemWith(written: string): string | undefined {
  if (written.trim() === '') return undefined;
  const path = absolute(written);
  try {
    return statSync(path).isFile() ? undefined : `${shownLine(path)} is not a file.`;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? `There is no file ${shownLine(path)}.`
      : `${shownLine(path)} can't be read: ${messageOf(cause)}`;
  }
}

const toPicked = (written: string): PickedFile => {
  const path = absolute(written);
  return { name: basename(path), path, mimeType: '', size: statSync(path).size };
};

const absolute = (written: string): string => resolve(written.trim().replace(/^~(?=\/|$)/, homedir()));
