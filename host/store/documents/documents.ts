import { readFileSync } from 'node:fs';
import { writePrivateFile } from '../../core/files/json-file.ts';
import { withFileLock } from '../files/file-lock.ts';

/**
 * Small private files that several processes read and change. Where hosts share their state, each file is this machine's
 * copy of a document that all of them have (shared-documents.ts).
 */
export interface Documents {
  /**
   * Replaces the content of a file by what `edit` makes of the newest one, undefined where there is none. Nobody else
   * changes it in between. Resolves when the change would survive a crash. Anything that `edit` throws changes nothing.
   */
  change(path: string, edit: (text: string | undefined) => string): Promise<void>;
  /** Runs `work` while nobody else runs work for the same path. `work` may change the file. */
  exclusively<T>(path: string, work: () => Promise<T>): Promise<T>;
}

/** Where the documents are that all hosts of a state have. */
export interface SharedFolder {
  /** Absolute. */
  readonly folder: string;
  readonly documents: Documents;
}

/** The files of one machine. */
export const localDocuments: Documents = {
  change: (path, edit) => withFileLock(path, () => writePrivateFile(path, edit(readIfThere(path)))),
  exclusively: (path, work) => withFileLock(`${path}.work`, work),
};

/** Undefined when there is no such file. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw cause;
  }
}
