import { isSameState } from './file-state.ts';
import type { Journal } from './journal.ts';
import type { RecordedChange, RecordedTurn } from './recorded-turn.ts';
import { lookAtAll, type FoundFile } from './scan.ts';
import { newJournalId, type UndoStore } from './undo-store.ts';

/** The changes of a journal. What an undo, or a redo, that was killed has left is known: what it was to restore. */
export function withKnownTargets(
  { start, changes }: RecordedTurn,
  store: Pick<UndoStore, 'turn'>,
): ReadonlyMap<string, RecordedChange> {
  const taken = start.of === undefined ? undefined : store.turn(start.of);
  if (!taken) return changes;
  const known = [...changes].map(([path, change]): [string, RecordedChange] => [
    path,
    { ...change, after: change.after ?? taken.changes.get(path)?.before },
  ]);
  return new Map(known);
}

/**
 * Records what an undo that was killed has done as done by the one that completes it, so that one redo is enough. `own`: the
 * paths that this one has restored itself.
 */
export async function takeOver(
  { changes }: RecordedTurn,
  journal: Pick<Journal, 'end'>,
  own: ReadonlySet<string>,
  hash: (file: FoundFile) => string | undefined,
): Promise<void> {
  const rest = [...changes].filter(([path]) => !own.has(path));
  const now = await lookAtAll(
    rest.map(([path]) => path),
    hash,
  );
  const done = rest.flatMap(([path, { before, origin }]) => {
    const after = now.get(path)!;
    return isSameState(before, after) ? [] : [{ path, before, after, ...(origin && { origin }) }];
  });
  journal.end({ id: newJournalId(), at: new Date().toISOString(), changes: done, uncovered: [] });
}
