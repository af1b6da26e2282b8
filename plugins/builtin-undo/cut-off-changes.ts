import { isWithin } from 'pegboard/kit';
import { absent, isSameState, type FileState } from './file-state.ts';
import { maxEntries } from './limits.ts';
import type { RecordedChange, RecordedTurn } from './recorded-turn.ts';
import { lookAtAll, scan, type FoundFile } from './scan.ts';

export interface CutOffOptions {
  /** All journals, newest first. */
  readonly others: () => readonly RecordedTurn[];
  /** Folders that are not looked at. */
  readonly without: readonly string[];
  readonly hash: (file: FoundFile) => string | undefined;
}

type Changes = RecordedTurn['changes'];

/**
 * The changes of a turn. Of a call that has not ended, only what was there before is recorded: what is still the same, or
 * was changed by another turn alone, is left out, and what a call that was cut off may have created is added.
 */
export async function changesOf(turn: RecordedTurn, options: CutOffOptions): Promise<Changes> {
  const { others, without, hash } = options;
  if (turn.cutOff.length === 0 && turn.running === undefined) return turn.changes;
  const later = others()
    .filter(({ id, start }) => id !== turn.id && start.at >= turn.start.at)
    .toReversed();
  const undone = later.filter(({ start }) => start.of === turn.id).flatMap(({ changes }) => [...changes]);
  const all = new Map<string, RecordedChange>([
    ...(await createdSince(turn, without, hash)),
    ...undone.flatMap(([path, { after }]) =>
      after ? [[path, { before: after, after: undefined }] as const] : [],
    ),
    ...turn.changes,
  ]);
  const kept = new Set(undone.map(([path]) => path));
  const unknown = [...all].filter(([path, { after }]) => after === undefined && !kept.has(path));
  const now = await lookAtAll(
    unknown.map(([path]) => path),
    hash,
  );
  for (const [path, { before }] of unknown) {
    const current = now.get(path)!;
    const recorded = later.flatMap(({ changes }) => changes.get(path) ?? []);
    if (isSameState(current, before) || leadsTo(current, before, recorded)) all.delete(path);
  }
  return all;
}

/** Whether recorded changes begin with the one state and end with the other. */
function leadsTo(current: FileState, before: FileState, recorded: readonly RecordedChange[]): boolean {
  const [first] = recorded;
  const last = recorded.at(-1)?.after;
  return (
    first !== undefined &&
    last !== undefined &&
    isSameState(first.before, before) &&
    isSameState(last, current)
  );
}

async function createdSince(
  { changes, cutOff }: RecordedTurn,
  without: readonly string[],
  hash: CutOffOptions['hash'],
): Promise<Changes> {
  const created = new Map<string, RecordedChange>();
  for (const { paths, deep, entries = [], uncovered } of cutOff) {
    if (!deep) continue;
    const before = new Set(entries.map(([path]) => path));
    const unknown = uncovered.map(({ path }) => path);
    const isNew = (path: string): boolean =>
      !before.has(path) && !changes.has(path) && !unknown.some((folder) => isWithin(folder, path));
    const covered = paths.filter((path) => !unknown.includes(path));
    const { entries: now } = await scan(covered, { deep, without, maxEntries: maxEntries.after, hash });
    for (const path of now.keys())
      if (isNew(path)) created.set(path, { before: absent.state, after: undefined });
  }
  return created;
}
