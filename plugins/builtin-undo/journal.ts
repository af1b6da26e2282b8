import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Origin, parseJson, toJson } from 'pegboard';
import { makePrivateFolder } from 'pegboard/kit';
import { thisProcess } from 'pegboard/processes';
import type { FileState } from './file-state.ts';
import type { Uncovered } from './scan.ts';

/** What the changes of a journal belong to. */
export interface JournalStart {
  /** `undo` and `redo`: `of` is the journal that was undone or redone. */
  readonly kind: 'turn' | 'undo' | 'redo';
  /** ISO 8601, UTC. */
  readonly at: string;
  /** "cli", "mcp:cursor". */
  readonly caller?: string;
  readonly agent?: string;
  /** The channel and id of the conversation, and the key of the turn's message. */
  readonly source?: string;
  readonly conversation?: number;
  readonly key?: string;
  readonly of?: string;
}

/** A call is about to change files: what was there before. */
export interface ChangeBegin {
  readonly id: string;
  readonly tool: string;
  readonly at: string;
  /** The process that makes the change. */
  readonly by: string;
  readonly paths: readonly string[];
  readonly deep: boolean;
  /** Absent: in a file of its own, because there are many. */
  readonly entries?: readonly (readonly [path: string, state: FileState])[];
  readonly uncovered: readonly Uncovered[];
  /** It may change files elsewhere too. */
  readonly elsewhere?: true;
}

export interface FileChange {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  /** Of the content before, unless the owner wrote it. */
  readonly origin?: Origin;
}

/** The change with this id is done. */
interface ChangeEnd {
  readonly id: string;
  readonly at: string;
  readonly changes: readonly FileChange[];
  readonly uncovered: readonly Uncovered[];
}

export type JournalLine =
  | { readonly start: JournalStart }
  /** A call with an effect that isn't recorded. */
  | { readonly called: string }
  | { readonly begin: ChangeBegin }
  | { readonly end: ChangeEnd }
  /** `partly`: a part of it could not be undone. */
  | { readonly undone: boolean | 'partly'; readonly at: string };

/** A file in which lines are only appended, so that a crash loses at most the last one. */
export interface Journal {
  readonly id: string;
  readonly path: string;
  append(line: JournalLine): void;
  /** Writes the entries of a change to a file of their own if there are many. */
  begin(change: Omit<ChangeBegin, 'by'> & { readonly entries: NonNullable<ChangeBegin['entries']> }): void;
  end(change: ChangeEnd): void;
}

/** Entries in the journal itself, at most. */
const maxInline = 50;
const ending = '.jsonl';
const namePattern = /^(\d{13})-([0-9a-f]{8})\.jsonl$/;

/** The journal with this id, or a new one that begins with `start`. */
export function openJournal(folder: string, id: string, start: JournalStart): Journal {
  const known = journalsIn(folder).find((journal) => journal.id === id);
  const path = known?.path ?? join(folder, `${Date.parse(start.at)}-${id}${ending}`);
  makePrivateFolder(folder);
  const write = (line: JournalLine | undefined): void =>
    appendFileSync(path, `${line === undefined ? '' : toJson(line)}\n`, { mode: 0o600 });
  // A process that was killed may have left half a line.
  if (known) write(undefined);
  const append = (line: JournalLine): void => {
    // It is removed when it is the oldest and others need its space.
    if (!existsSync(path)) write({ start });
    write(line);
  };
  return {
    id,
    path,
    append,
    begin({ entries, ...change }) {
      const isInline = entries.length <= maxInline;
      if (!isInline)
        writeFileSync(entriesFile(path, change.id), toJson(entries), { flag: 'wx', mode: 0o600 });
      append({ begin: { ...change, by: thisProcess, ...(isInline && { entries }) } });
    },
    end(change) {
      append({ end: change });
      rmSync(entriesFile(path, change.id), { force: true });
    },
  };
}

const entriesFile = (path: string, change: string): string =>
  `${path.slice(0, -ending.length)}.${change}.json`;

export interface JournalFile {
  readonly id: string;
  readonly path: string;
}

/** Oldest first. */
export function journalsIn(folder: string): readonly JournalFile[] {
  return namesIn(folder).flatMap((name) => {
    const id = namePattern.exec(name)?.[2];
    return id === undefined ? [] : [{ id, path: join(folder, name) }];
  });
}

/** The entries of unfinished changes of a journal, and the journal last. */
export function removeJournal(folder: string, { path }: JournalFile): void {
  const prefix = path.slice(folder.length + 1, -ending.length);
  for (const name of namesIn(folder))
    if (name.startsWith(`${prefix}.`) && !name.endsWith(ending)) rmSync(join(folder, name), { force: true });
  rmSync(path, { force: true });
}

/** Its complete lines, each change with its entries. Empty when it doesn't exist. */
export function readJournal({ path }: JournalFile): readonly JournalLine[] {
  return textOf(path)
    .split('\n')
    .flatMap((text) => parseLine(text) ?? [])
    .map((line) => {
      if (!('begin' in line) || line.begin.entries) return line;
      const entries = parseLine(textOf(entriesFile(path, line.begin.id))) as unknown;
      return { begin: { ...line.begin, entries: (entries ?? []) as NonNullable<ChangeBegin['entries']> } };
    });
}

function parseLine(text: string): JournalLine | undefined {
  try {
    return text === '' ? undefined : (parseJson(text) as JournalLine);
  } catch {
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
