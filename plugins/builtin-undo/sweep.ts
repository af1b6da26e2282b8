import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { FileState } from './file-state.ts';
import { journalsIn, readJournal, removeJournal, type JournalFile, type JournalLine } from './journal.ts';

export interface SweepOptions {
  /** Maximum size of all contents. */
  readonly maxBytes: number;
  /** Journals that began earlier are removed. Milliseconds since 1970. */
  readonly since?: number;
  /** The id of a journal that stays, as does the one that it takes back. */
  readonly keep?: string;
}

/**
 * Removes journals that are too old, then contents that no journal names, then the oldest journals with their contents
 * until the others fit. Must not run while another process keeps something. Returns what is left, in bytes.
 */
export async function sweepUndo(
  folder: string,
  { maxBytes, since = 0, keep }: SweepOptions,
): Promise<{ readonly bytes: number; readonly removed: number }> {
  const journals = join(folder, 'turns');
  const users = new Map<string, number>();
  const namedBy = new Map<JournalFile, ReadonlySet<string>>();
  const kept = new Set(keep === undefined ? [] : [keep]);
  let removed = 0;
  for (const journal of journalsIn(journals)) {
    await turnOfLoop();
    if (Number(journal.path.slice(journals.length + 1).slice(0, 13)) < since && !kept.has(journal.id)) {
      removeJournal(journals, journal);
      removed++;
      continue;
    }
    const lines = readJournal(journal);
    const of = lines.find((line) => 'start' in line)?.start.of;
    if (journal.id === keep && of !== undefined) kept.add(of);
    const hashes = new Set(lines.flatMap(hashesIn));
    namedBy.set(journal, hashes);
    for (const hash of hashes) users.set(hash, (users.get(hash) ?? 0) + 1);
  }

  const sizes = new Map<string, number>();
  const contents = join(folder, 'content');
  for (const start of namesIn(contents)) {
    for (const name of namesIn(join(contents, start))) {
      const path = join(contents, start, name);
      const hash = `${start}${name}`;
      if (!users.has(hash)) rmSync(path, { force: true });
      else sizes.set(hash, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    }
  }

  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  for (const [journal, hashes] of namedBy) {
    if (bytes <= maxBytes) break;
    if (kept.has(journal.id)) continue;
    removeJournal(journals, journal);
    removed++;
    for (const hash of hashes) {
      const left = users.get(hash)! - 1;
      users.set(hash, left);
      if (left > 0) continue;
      rmSync(join(contents, hash.slice(0, 2), hash.slice(2)), { force: true });
      bytes -= sizes.get(hash) ?? 0;
    }
  }
  return { bytes, removed };
}

/** The contents that can be restored from a journal. */
function hashesIn(line: JournalLine): readonly string[] {
  const states: readonly FileState[] =
    'begin' in line
      ? (line.begin.entries ?? []).map(([, state]) => state)
      : 'end' in line
        ? line.end.changes.map(({ before }) => before)
        : [];
  return states.flatMap((state) => (state.type === 'file' && state.hash ? [state.hash] : []));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
