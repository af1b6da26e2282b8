import { statSync } from 'node:fs';
import { absolutePathAtPrompt } from '../absolute-path.ts';
import type { PickedFile } from '../../api/ask.ts';
import { toPicked } from '../../core/files/picked-file.ts';
import { fileErrorInWords } from '../../core/system-error.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { showForm, type FormPlace } from './show-form.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

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
  return others && [toPicked(absolute(path, place)), ...others];
}

async function askForPath(message: string, place: FormPlace): Promise<string | undefined> {
  const written = await showForm(place, ({ text }, streams) =>
    text({
      ...streams,
      message,
      placeholder: 'The path of a file, or Enter for none',
      validate: (value) => problemWith(value ?? '', place),
    }),
  );
  return written === undefined ? undefined : (written ?? '').trim();
}

/** Why it can't be chosen. */
function problemWith(written: string, place: FormPlace): string | undefined {
  if (written.trim() === '') return undefined;
  const path = absolute(written, place);
  try {
    return statSync(path).isFile() ? undefined : `${shownLine(path)} is not a file.`;
  } catch (cause) {
    return `${shownLine(path)} can't be read: ${asSentence(fileErrorInWords(cause))}`;
  }
}

const absolute = (written: string, { terminal }: FormPlace): string =>
  absolutePathAtPrompt(written.trim(), terminal.surroundings);
