import { readFileSync, renameSync } from 'node:fs';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { writePrivateFile } from '../../core/files/json-file.ts';
import { withFileLock } from './file-lock.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';

/** A small JSON file that several processes read and change, private to this user. */
export interface JsonStore<T> {
  readonly data: T;
  readonly diagnostics: readonly Diagnostic[];
  /** Reads, changes and writes under a lock, so that concurrent changes of processes aren't lost. */
  update(change: (data: T) => T): Promise<void>;
  /** Reads the file again, after someone else wrote it. */
  reload(): void;
}

export interface JsonStoreOptions<T> {
  /** Defaults for missing keys. Other keys are not kept. */
  readonly empty: T;
  /**
   * For the report of an unreadable file: its content and the consequence, such as "the stored approvals" and "tools
   * ask for confirmation again".
   */
  readonly what: string;
  readonly consequence: string;
  /** An unreadable file is not moved. */
  readonly readOnly?: boolean;
}

/** Reads immediately; a file that is not a JSON object is moved aside and reported. */
export function openJsonStore<T extends object>(path: string, options: JsonStoreOptions<T>): JsonStore<T> {
  const { empty, readOnly = false } = options;
  const diagnostics: Diagnostic[] = [];
  const read = (): T => {
    try {
      return known(parseJson(readFileSync(path, 'utf8')), empty);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return empty;
      const found = unreadable(path, cause as Error, options, readOnly ? undefined : moveAside(path));
      if (diagnostics.every(({ message }) => message !== found.message)) diagnostics.push(found);
      return empty;
    }
  };
  let data = read();
  return {
    get data() {
      return data;
    },
    diagnostics,
    reload: () => void (data = read()),
    async update(change) {
      await withFileLock(path, async () => {
        data = change(read());
        await writePrivateFile(path, `${toJson(data, 2)}\n`);
      });
    },
  };
}

/** The known keys whose values have the right shape. */
function known<T extends object>(stored: unknown, empty: T): T {
  if (stored === null || typeof stored !== 'object' || Array.isArray(stored))
    throw new Error('it is not a JSON object');
  const entries = Object.entries(empty).map(([key, value]: [string, unknown]) => {
    const found = (stored as { readonly [key: string]: unknown })[key];
    const fits = typeof found === 'object' && found !== null && Array.isArray(found) === Array.isArray(value);
    return [key, fits ? found : value] as const;
  });
  return Object.fromEntries(entries) as T;
}

/** The new path; undefined when it could not be moved. */
function moveAside(path: string): string | undefined {
  const aside = `${path}.unreadable-${Date.now()}`;
  try {
    renameSync(path, aside);
    return aside;
  } catch {
    return undefined;
  }
}

function unreadable<T>(
  path: string,
  cause: Error,
  { what, consequence }: JsonStoreOptions<T>,
  aside: string | undefined,
): Diagnostic {
  const where = aside === undefined ? '' : `; it was moved to ${aside}`;
  return {
    severity: 'error',
    code: 'state-unreadable',
    message: `${what} could not be read (${cause.message})${where}; ${consequence}`,
    path,
  };
}
