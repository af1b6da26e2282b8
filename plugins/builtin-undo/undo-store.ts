import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileOrigins } from 'pegboard';
import { createKeyedQueue, withFileLock } from 'pegboard/kit';
import { createContentStore, type ContentStore } from './content-store.ts';
import {
  journalsIn,
  openJournal,
  readJournal,
  type Journal,
  type JournalFile,
  type JournalStart,
} from './journal.ts';
import { megabyte, type UndoLimits } from './limits.ts';
import { toRecordedTurn, type RecordedTurn } from './recorded-turn.ts';
import { sweepUndo } from './sweep.ts';

/** What a home keeps in `data/undo`: journals, and the contents that they name. */
export interface UndoStore {
  readonly content: ContentStore;
  readonly limits: UndoLimits;
  readonly origins: Pick<FileOrigins, 'of' | 'note'>;
  /** Finds or creates the journal with this id. */
  journal(id: string, start: JournalStart): Journal;
  /** Newest first. */
  turns(): readonly RecordedTurn[];
  /** The one with this id. */
  turn(id: string): RecordedTurn | undefined;
  /** Those that have changed since, in milliseconds since 1970. */
  changedSince(time: number): readonly RecordedTurn[];
  /** Keeps contents while no process removes any. `journal` is what they are for, which is not removed to make room. */
  keep<T>(journal: string, work: (put: ContentStore['put']) => Promise<T>): Promise<T>;
}

/** Journals that a process knows at once. */
const maxOpen = 100;

export const newJournalId = (): string => randomBytes(4).toString('hex');
/** An id of eight characters that follows from the text. */
export const journalIdOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8);

export const undoFolder = (home: string): string => join(home, 'data/undo');

export function createUndoStore(
  home: string,
  { limits, origins }: Pick<UndoStore, 'limits' | 'origins'>,
): UndoStore {
  const folder = undoFolder(home);
  const journals = join(folder, 'turns');
  const sizeFile = join(folder, 'size');
  const content = createContentStore(join(folder, 'content'));
  const queue = createKeyedQueue();
  const open = new Map<string, Journal>();
  const readAll = (wanted: (file: JournalFile) => boolean): readonly RecordedTurn[] =>
    journalsIn(journals)
      .filter(wanted)
      .flatMap((file) => toRecordedTurn(file, readJournal(file)) ?? [])
      .toReversed();

  return {
    content,
    limits,
    origins,
    journal(id, start) {
      const known = open.get(id) ?? openJournal(journals, id, start);
      open.delete(id);
      open.set(id, known);
      if (open.size > maxOpen) open.delete(open.keys().next().value!);
      return known;
    },
    turns: () => readAll(() => true),
    turn: (id) => readAll((file) => file.id === id)[0],
    changedSince: (time) =>
      readAll(({ path }) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= time),
    keep: (journal, work) =>
      queue.run('store', () =>
        withFileLock(join(folder, 'store'), async () => {
          const before = sizeIn(sizeFile);
          let added = 0;
          const result = await work((hash, bytes) => {
            content.put(hash, bytes);
            added += bytes.length;
          });
          const maxBytes = limits.totalSize * megabyte;
          const size = before === undefined || before + added > maxBytes ? undefined : before + added;
          if (added > 0 || size === undefined) {
            const now = size ?? (await sweepUndo(folder, { maxBytes, keep: journal })).bytes;
            writeFileSync(sizeFile, String(now), { mode: 0o600 });
          }
          return result;
        }),
      ),
  };
}

/** Removes turns that began before `since`, in milliseconds since 1970. Returns how many. */
export async function forgetOldTurns(home: string, since: number): Promise<number> {
  const folder = undoFolder(home);
  if (!existsSync(folder)) return 0;
  return await withFileLock(join(folder, 'store'), async () => {
    const { bytes, removed } = await sweepUndo(folder, { maxBytes: Number.POSITIVE_INFINITY, since });
    writeFileSync(join(folder, 'size'), String(bytes), { mode: 0o600 });
    return removed;
  });
}

/** Undefined when it isn't known. */
function sizeIn(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return /^\d+$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}
