import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asSentence, PegboardError } from 'pegboard';
import { fileErrorInWords } from 'pegboard/kit';

/** The text of a small secret file of ours (0600), which `fresh` fills when it isn't there. Throws PEG_CONFIG. */
export async function storedText(path: string, fresh: () => string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await read(path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return create(path, fresh());
      throw cause;
    });
  } catch (cause) {
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} can't be written: ${asSentence(fileErrorInWords(cause))}`,
      { cause },
    );
  }
}

/** Linked into place atomically, so that two hosts that start together read the same text. */
async function create(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await link(draft, path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return read(path);
}

const read = async (path: string): Promise<string> => (await readFile(path, 'utf8')).trim();
