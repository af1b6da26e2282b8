import type { Origin } from 'pegboard';
import { isAbandoned } from 'pegboard/kit';
import type { FileState } from './file-state.ts';
import type { ChangeBegin, JournalFile, JournalLine, JournalStart } from './journal.ts';
import type { Uncovered } from './scan.ts';

/** What a path was before the first change of a turn and after the last. */
export interface RecordedChange {
  readonly before: FileState;
  /** Undefined: the call that may have changed it was cut off. */
  readonly after: FileState | undefined;
  /** Of the content before, unless the owner wrote it. */
  readonly origin?: Origin | undefined;
}

/** A journal as a whole. */
export interface RecordedTurn {
  readonly id: string;
  readonly start: JournalStart;
  readonly changes: ReadonlyMap<string, RecordedChange>;
  /** Tools whose effects are not recorded, each once. */
  readonly unrecorded: readonly string[];
  /** Tools that may have changed files elsewhere too, each once. */
  readonly elsewhere: readonly string[];
  readonly uncovered: readonly Uncovered[];
  /** Changes that a process was killed in. */
  readonly cutOff: readonly ChangeBegin[];
  /** The tool that changes files right now. */
  readonly running: string | undefined;
  readonly isUndone: boolean;
  /** A part of it is undone, and another part could not be. */
  readonly isPartlyUndone: boolean;
}

/** Undefined for a journal whose beginning is lost. */
export function toRecordedTurn({ id }: JournalFile, lines: readonly JournalLine[]): RecordedTurn | undefined {
  const first = lines.find((line) => 'start' in line);
  if (!first) return undefined;
  const changes = new Map<string, RecordedChange>();
  const ended = new Set(lines.flatMap((line) => ('end' in line ? [line.end.id] : [])));
  const open: ChangeBegin[] = [];
  const uncovered = new Map<string, Uncovered>();
  const elsewhere = new Set<string>();
  let undone: boolean | 'partly' = false;
  for (const line of lines) {
    if ('undone' in line) ({ undone } = line);
    if ('begin' in line) {
      const { begin } = line;
      if (begin.elsewhere) elsewhere.add(begin.tool);
      for (const one of begin.uncovered) uncovered.set(one.path, one);
      if (ended.has(begin.id)) continue;
      open.push(begin);
      for (const [path, before] of begin.entries ?? [])
        if (!changes.has(path)) changes.set(path, { before, after: undefined });
    }
    if ('end' in line) {
      // Of a call that went on in the background.
      if (line.end.changes.length > 0) undone = false;
      for (const one of line.end.uncovered) uncovered.set(one.path, one);
      for (const { path, after, ...first } of line.end.changes)
        changes.set(path, { ...first, ...changes.get(path), after });
    }
  }
  const running = open.find(({ by, at }) => !isAbandoned(by, at));
  return {
    id,
    start: first.start,
    changes,
    unrecorded: [...new Set(lines.flatMap((line) => ('called' in line ? [line.called] : [])))],
    elsewhere: [...elsewhere],
    uncovered: [...uncovered.values()],
    cutOff: open.filter(({ by, at }) => isAbandoned(by, at)),
    running: running?.tool,
    isUndone: undone === true,
    isPartlyUndone: undone === 'partly',
  };
}
