import { renameSync } from 'node:fs';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { localDocuments, readIfThere, type Documents } from '../documents/documents.ts';

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
  readonly documents?: Documents;
}

/** Reads immediately; a file that is not a JSON object is moved aside and reported. */
export function openJsonStore<T extends object>(path: string, options: JsonStoreOptions<T>): JsonStore<T> {
  const { empty, readOnly = false, documents = localDocuments } = options;
  const diagnostics: Diagnostic[] = [];
  const read = (text = (): string | undefined => readIfThere(path)): T => {
    try {
      const found = text();
      return found === undefined ? empty : known(parseJson(found), empty);
    } catch (cause) {
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
      let next = data;
      await documents.change(path, (text) => {
        next = change(read(() => text));
        return `${toJson(next, 2)}\n`;
      });
      data = next;
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
