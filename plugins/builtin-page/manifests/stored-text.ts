import { hash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { asSentence, PegboardError } from 'pegboard';
import { openFolder } from 'pegboard/files';
import { writeNew } from 'pegboard/home';
import { maxTextFileBytes, readDecodedFile, withCommas, writeFileAtomically } from 'pegboard/kit';
import { realFolderOf, type ManifestFile } from './find-manifest.ts';
import type { StoredText } from './wire.ts';

const toStored = (text: string): StoredText => ({ text, hash: hash('sha256', text) });

/** The text of a manifest, why it can't be read, or nothing when there is no such file. */
export function readStored({ path, boundary }: Pick<ManifestFile, 'path' | 'boundary'>): {
  readonly stored?: StoredText;
  readonly problem?: string;
} {
  const file = readDecodedFile(path, boundary);
  if (file.text?.includes('\0')) return { problem: 'the file holds NUL bytes: it is binary' };
  if (file.text !== undefined) return { stored: toStored(file.text) };
  return file.missing ? {} : { problem: file.diagnostics[0]!.message };
}

/** One write at a time, so that each compares with what the one before has left. */
let writing: Promise<unknown> = Promise.resolve();

/**
 * Writes the text if the file still is what `base` identifies, or if there is none and `base` is undefined. Follows no
 * link on the way. Returns whether it was written. Throws PEG_USAGE for a text that no manifest can have, PEG_DENIED
 * for a link.
 */
export function writeStored(
  home: string,
  file: ManifestFile,
  text: string,
  base: string | undefined,
): Promise<boolean> {
  checkWritable(text);
  const written = writing.then(() => write(home, file, text, base));
  writing = written.catch(() => {});
  return written;
}

function checkWritable(text: string): void {
  const refuse = (why: string): never => {
    throw new PegboardError('PEG_USAGE', `It was not saved: ${asSentence(why)}`);
  };
  if (!text.isWellFormed()) refuse('the text holds half a character, which no file can hold');
  if (text.includes('\0')) refuse('the text holds a NUL character');
  if (Buffer.byteLength(text) > maxTextFileBytes)
    refuse(`a manifest has at most ${withCommas(maxTextFileBytes)} bytes`);
}

async function write(
  home: string,
  file: ManifestFile,
  text: string,
  base: string | undefined,
): Promise<boolean> {
  using folder = openFolder(realFolderOf(home, file), { make: base === undefined });
  const path = join(folder.path, basename(file.path));
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw new PegboardError('PEG_DENIED', `${file.path} is no ordinary file: nothing was written.`);
  const { stored, problem } = stats ? readStored({ path, boundary: file.boundary }) : {};
  if (problem !== undefined)
    throw new PegboardError('PEG_DENIED', `It was not saved: ${asSentence(problem)}`);
  if (stored?.hash !== base) return false;
  if (stats) await writeFileAtomically(path, text, stats.mode & 0o777);
  else await writeNew(path, text);
  return true;
}
