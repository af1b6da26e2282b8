import { randomBytes } from 'node:crypto';
import { isWithin } from 'pegboard/kit';
import { contentAt, hashOf, isSameState, type FileState, type Seen } from './file-state.ts';
import type { FileChange, Journal } from './journal.ts';
import { maxEntries, megabyte } from './limits.ts';
import { scan, type FoundFile, type Scan, type Uncovered } from './scan.ts';
import type { UndoStore } from './undo-store.ts';

export interface Recording {
  readonly tool: string;
  /** Absolute and real, but for the last name, which may be a link. */
  readonly paths: readonly string[];
  /** With what is in folders. */
  readonly deep: boolean;
  readonly without?: readonly string[];
  readonly uncovered?: readonly Uncovered[];
  readonly elsewhere?: boolean;
  /** Bytes that may be kept for it. */
  readonly maxBytes: number;
}

/** Files that were kept before, so that they are not read again while they stay the same. */
export type KnownContents = Map<string, { readonly version: string; readonly hash: string }>;

const maxKnown = 20_000;

/** The kernel's file clock has steps of up to 10 ms: a file may change again at the same time. */
const clockStepMs = 100;

const hasSettled = ({ changedAt }: Pick<Seen, 'changedAt'>, at: number): boolean =>
  changedAt < at - clockStepMs;

/** A change that has begun. */
interface Begun {
  readonly id: string;
  readonly at: number;
  readonly before: Scan;
  readonly recording: Recording;
}

/**
 * Keeps what is at the paths, before anything changes there. Throws when nothing can be stored, or when a folder on the
 * way is a link.
 */
export async function beginChange(
  store: UndoStore,
  journal: Journal,
  recording: Recording,
  known: KnownContents,
): Promise<Begun> {
  const { tool, paths, deep, without = [], uncovered = [], elsewhere, maxBytes } = recording;
  const maxFileBytes = store.limits.fileSize * megabyte;
  const id = randomBytes(6).toString('hex');
  return await store.keep(journal.id, async (put) => {
    const at = Date.now();
    let kept = 0;
    const keep = (file: FoundFile): string | undefined => {
      const { size } = file.state;
      if (size > maxFileBytes || kept + size > maxBytes) return undefined;
      const earlier = known.get(file.path);
      if (earlier?.version === file.state.version && store.content.has(earlier.hash)) {
        kept += size;
        return earlier.hash;
      }
      const bytes = contentAt(file.at, maxFileBytes);
      if (!bytes) return undefined;
      kept += bytes.length;
      const hash = hashOf(bytes);
      if (!store.content.has(hash)) put(hash, bytes);
      if (hasSettled(file, at)) remember(known, file, hash);
      return hash;
    };
    const before = await scan(paths, { deep, without, maxEntries: maxEntries.before, hash: keep });
    journal.begin({
      id,
      tool,
      at: new Date(at).toISOString(),
      paths,
      deep,
      entries: [...before.entries].map(([path, { state }]) => [path, state] as const),
      uncovered: [...uncovered, ...before.uncovered],
      ...(elsewhere && { elsewhere }),
    });
    return { id, at, before, recording };
  });
}

function remember(known: KnownContents, { path, state }: FoundFile, hash: string): void {
  known.delete(path);
  known.set(path, { version: state.version, hash });
  if (known.size > maxKnown) known.delete(known.keys().next().value!);
}

/** Records what has changed since. Returns how many bytes are kept for it. */
export async function endChange(store: UndoStore, journal: Journal, begun: Begun): Promise<number> {
  const { id } = begun;
  const end = (changes: readonly FileChange[], uncovered: readonly Uncovered[]): void =>
    journal.end({ id, at: new Date().toISOString(), changes, uncovered });
  try {
    const { changes, uncovered } = await changesSince(store, journal.id, begun);
    const marked = changes.map((change) => {
      const origin = change.before.type === 'file' ? store.origins.of(change.path) : undefined;
      return origin ? { ...change, origin } : change;
    });
    end(marked, uncovered);
    return changes.reduce((sum, one) => sum + keptOf(one.before), 0);
  } catch (cause) {
    end(
      [],
      begun.recording.paths.map((path) => ({ path, why: 'unreadable' })),
    );
    throw cause;
  }
}

const keptOf = (state: FileState): number => (state.type === 'file' && state.hash ? state.size : 0);

/** What a call of another turn did in the meantime is left out. */
async function changesSince(
  store: UndoStore,
  journal: string,
  { at, before, recording }: Begun,
): Promise<{ readonly changes: readonly FileChange[]; readonly uncovered: readonly Uncovered[] }> {
  const { deep, without = [] } = recording;
  const maxFileBytes = store.limits.fileSize * megabyte;
  const hash = (file: FoundFile): string | undefined => {
    const earlier = before.entries.get(file.path);
    if (earlier?.state.type === 'file' && earlier.state.version === file.state.version)
      if (hasSettled(earlier, at)) return earlier.state.hash;
    const bytes = contentAt(file.at, maxFileBytes);
    return bytes && hashOf(bytes);
  };
  const options = { without, maxEntries: maxEntries.after, hash };
  const tooMany = before.uncovered.filter(({ why }) => why === 'too many files').map(({ path }) => path);
  const paths = recording.paths.filter((path) => !tooMany.includes(path));
  const found = await scan(paths, { ...options, deep });
  // Folders above a path that did not exist.
  const missing = [...before.entries.keys()].filter((path) => !found.entries.has(path));
  const others = await scan(missing, { ...options, deep: false });
  const after = new Map([...others.entries, ...found.entries]);
  const unknown = [...before.uncovered, ...found.uncovered].map(({ path }) => path);
  const isKnown = ({ path }: FileChange): boolean =>
    !unknown.some((folder) => folder !== path && isWithin(folder, path));
  const changes = changesBetween(before.entries, after).filter(isKnown);
  return {
    changes: deep && changes.length > 0 ? withoutOthers(store, journal, at, changes) : changes,
    uncovered: found.uncovered.filter(({ path }) => !before.uncovered.some((one) => one.path === path)),
  };
}

const gone: FileState = { type: 'absent' };

function changesBetween(before: Scan['entries'], after: Scan['entries']): readonly FileChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((path) => ({
      path,
      before: before.get(path)?.state ?? gone,
      after: after.get(path)?.state ?? gone,
    }))
    .filter((change) => !isSameState(change.before, change.after));
}

function withoutOthers(
  store: UndoStore,
  own: string,
  since: number,
  changes: readonly FileChange[],
): readonly FileChange[] {
  const others = store.changedSince(since).filter(({ id }) => id !== own);
  return changes.filter(
    ({ path, after }) =>
      !others.some((turn) => {
        const theirs = turn.changes.get(path)?.after;
        return theirs !== undefined && isSameState(theirs, after);
      }),
  );
}
