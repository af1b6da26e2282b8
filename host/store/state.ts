import { readFileSync, renameSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Diagnostic } from '../api/diagnostic.ts';
import { withFileLock } from './file-lock.ts';
import type { PinnedSpace } from './space-pins.ts';
import type { TrustedCode } from './trust.ts';

/** An "always" answer: this tool, as long as its fingerprint stays what it was. */
export interface Approval {
  readonly tool: string;
  readonly fingerprint: string;
  /** ISO 8601 */
  readonly at: string;
}

/** The small state that people read and edit: data/state.json. */
export interface State {
  readonly approvals: readonly Approval[];
  readonly trusted: readonly TrustedCode[];
  /** Spaces that somebody else writes, as they were accepted. */
  readonly spaces: { readonly [space: string]: PinnedSpace };
  /** When a reload of a plugin was asked for, by its id: ISO 8601. Running hosts see the change. */
  readonly reloads: { readonly [plugin: string]: string };
  /** Offers that are not to be made again: "ollama". */
  readonly declined: readonly string[];
}

export interface StateStore {
  readonly data: State;
  readonly diagnostics: readonly Diagnostic[];
  /** Reads, changes and writes under a lock, so that two processes on one home lose nothing. */
  update(change: (state: State) => State): Promise<void>;
  /** Reads the file again, after someone else wrote it. */
  reload(): void;
}

const empty: State = { approvals: [], trusted: [], spaces: {}, reloads: {}, declined: [] };

/** Reads at once; a file that is no JSON is moved aside and reported. */
export function openState(path: string): StateStore {
  const diagnostics: Diagnostic[] = [];
  const read = (): State => {
    try {
      return { ...empty, ...(JSON.parse(readFileSync(path, 'utf8')) as Partial<State>) };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
        diagnostics.push(moveAside(path, cause as Error));
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
      await mkdir(dirname(path), { recursive: true });
      const { JSONFile } = await import('lowdb/node');
      await withFileLock(path, async () => {
        data = change(read());
        await new JSONFile<State>(path).write(data);
      });
    },
  };
}

function moveAside(path: string, cause: Error): Diagnostic {
  const aside = `${path}.unreadable-${Date.now()}`;
  let where = `; it was moved to ${aside}`;
  try {
    renameSync(path, aside);
  } catch {
    where = ' and could not be moved aside';
  }
  return {
    severity: 'error',
    code: 'state-unreadable',
    message: `the stored approvals could not be read (${cause.message})${where}; tools ask for confirmation again`,
    path,
  };
}
