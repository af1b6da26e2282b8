import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { User } from '../../core/platform/places.ts';
import type { FileOrigins, NamingCommand } from '../../api/store/file-origins.ts';
import type { Origin } from '../../api/provenance.ts';
import { isFolder, isWithin } from '../../core/files/paths.ts';
import { localDocuments, readIfThere, type SharedFolder } from '../documents/documents.ts';
import { findMoved, identityIn } from './find-moved.ts';
import { foldOrigins, shortIdentity } from './fold-origins.ts';
import { localFormat, realOf, sharedFormat, type OriginEntry } from './origin-entries.ts';
import { writtenAmong, writtenBy } from './written-files.ts';

/** Maximum number of entries; beyond it, folders stand for their files. */
const maxEntries = 5_000;
/** The kernel's limit for a path. */
const maxPathLength = 4_096;
/** Shorter file names occur in too many texts by chance. */
const minNameLength = 4;
/** Pegboard's own records contain messages of everybody. */
const ownRecords: Origin = { kind: 'file', what: 'data' };
const nameOfRecords = /(^|[^\w.-])data\/(artifacts|audit|backups|logs|mcp)\b|\bpegboard\.db\b/;

const fileOriginsOf = (home: string): string => join(home, 'data/file-origins.json');

export interface StoredFileOrigins extends FileOrigins {
  /** Awaited before a call: finds the files that were moved, whoever has done it, so that their marks are where they are. */
  follow(): Promise<void>;
  /** Marks what a call wrote since `began` (milliseconds), as far as its arguments name it. */
  noteNamed(names: readonly string[], began: number, origin: Origin): Promise<void>;
}

/**
 * One file, read again when it has changed, since other processes of the home may write to it. Hosts that share their
 * state know the paths of each other's files within the home: the same text may be there on any of them.
 */
export function createFileOrigins(
  home: string,
  { userHome }: Pick<User, 'userHome'>,
  shared?: SharedFolder,
): StoredFileOrigins {
  const path = shared ? join(shared.folder, 'file-origins.json') : fileOriginsOf(home);
  const documents = shared?.documents ?? localDocuments;
  const format = shared ? sharedFormat(home) : localFormat(home);
  const realHome = realOf(home);
  const data = join(realHome, 'data');
  let entries: readonly OriginEntry[] = [];
  let seen = -1;
  const read = (): readonly OriginEntry[] => {
    const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (time !== seen) {
      entries = format
        .parse(readIfThere(path))
        .filter((entry) => isOfThisHome(entry) || isWithin(realHome, entry.path));
      seen = time;
    }
    return entries;
  };
  const add = async (paths: readonly string[], { kind, what }: Origin): Promise<void> => {
    const origin = { kind, what };
    const added = new Map<string, OriginEntry>();
    for (const given of paths) {
      const real = realOf(given);
      const file = identityOf(real);
      if (file !== undefined) added.set(real, { path: real, file, origin });
    }
    if (added.size === 0) return;
    await documents.change(path, (text) => {
      const others = format
        .parse(text)
        .filter((entry) => entry.gone || entry.files || !isOfThisHome(entry) || !added.has(entry.path))
        .map((entry) => (isGone(entry) ? { ...entry, gone: true as const } : entry));
      return format.write(foldOrigins([...others, ...added.values()], maxEntries, identityOf));
    });
    seen = -1;
  };
  const follow = async (): Promise<void> => {
    const stale = filesOf(read().filter(isStale));
    if (stale.size === 0) return;
    const found = await findMoved(stale, realHome, data);
    const settle = (entry: OriginEntry): readonly OriginEntry[] =>
      stale.has(entry.file) && isStale(entry) ? settled(entry, found.get(entry.file)) : [entry];
    await documents.change(path, (text) => format.write(format.parse(text).flatMap(settle)));
    seen = -1;
  };
  const placed = (entry: OriginEntry | undefined): Origin | undefined =>
    entry && withPlace(entry.path, entry, realHome);
  let following: Promise<void> | undefined;
  const origins: StoredFileOrigins = {
    follow: () => (following ??= follow().finally(() => (following = undefined))),
    note: (given, origin) => add([given], origin),
    noteWritten: (ran, began, origin) =>
      add(writtenBy(wordsOf(ran), { ...ran, began, home: realHome, without: data }), origin),
    noteNamed: (names, began, origin) =>
      add(writtenAmong(new Set(names.filter(mayBePath)), [realHome], began), origin),
    of(given) {
      const real = realOf(given);
      if (isWithin(data, real)) return ownRecords;
      if (read().length === 0) return undefined;
      const file = identityOf(real);
      const short = file === undefined ? undefined : shortIdentity(file);
      const entry = read().findLast(
        (one) => covers(one, real) || one.file === file || (short && one.files?.includes(short)),
      );
      return entry && withPlace(real, entry, realHome);
    },
    ofAny(paths) {
      const all = read().length === 0 ? undefined : withFolders(paths);
      return placed(all && read().findLast((one) => mayBeHere(one) && all.has(one.path)));
    },
    namedIn(text) {
      if (text.includes(data) || nameOfRecords.test(text)) return ownRecords;
      const isMeant = (one: OriginEntry): boolean =>
        namesOf(one.path, realHome).some((name) => isNamed(text, name)) || isFileNamed(text, one);
      return placed(read().findLast((one) => isMeant(one) && isThere(one)));
    },
    readBy(command, folders, own = []) {
      for (const named of new Set(pathsIn(command, userHome))) {
        const isOwn = [realHome, ...own].some((folder) => isWithin(folder, named));
        const found = isOwn ? origins.of(named) : outsider(named);
        const inside = folders === 'whole' && isFolder(named) ? origins.within(named, own) : undefined;
        if (found ?? inside) return found ?? inside;
      }
      return origins.namedIn(command.command);
    },
    within(given, own = []) {
      const real = realOf(given);
      if (![realHome, ...own].some((folder) => isWithin(folder, real))) return { kind: 'file', what: real };
      return placed(
        read().findLast((one) => covers(one, real) || (isWithin(real, one.path) && isThere(one))),
      );
    },
  };
  return origins;
}

const filesOf = (entries: readonly OriginEntry[]): Set<string> => new Set(entries.map(({ file }) => file));

/** With the folders that they are in, whose marks count for all of them. */
function withFolders(paths: Iterable<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const path of paths) for (let at = path; !all.has(at); at = dirname(at)) all.add(at);
  return all;
}

/** The current file with the untrusted content; the file that brought it into the home may have been deleted. */
function withPlace(path: string, { origin }: OriginEntry, home: string): Origin {
  if (origin.what === path) return origin;
  return { ...origin, keptIn: isWithin(home, path) ? relative(home, path) || '.' : path };
}

/** Real paths of existing files that a command names, including its programs. */
function pathsIn(command: NamingCommand, userHome: string): readonly string[] {
  return wordsOf(command)
    .map((word) =>
      resolve(
        command.cwd,
        word.replace(/^~(?=\/|$)/, () => userHome),
      ),
    )
    .flatMap((path) => (identityOf(path) === undefined ? [] : [realOf(path)]));
}

const wordsOf = ({ command, words = [] }: NamingCommand): readonly string[] =>
  [...new Set([...command.split(/[\s"'`;|&<>()=]+/), ...words])].filter(mayBePath);

const mayBePath = (word: string): boolean =>
  word !== '' && word.length <= maxPathLength && !word.includes('\0');

const outsider = (path: string): Origin | undefined =>
  isOfSystem(path) ? undefined : { kind: 'file', what: path };

/** Programs, libraries and devices, which command lines name all the time. */
const isOfSystem = (path: string): boolean =>
  /^\/(bin|dev|lib\w*|nix|opt|proc|sbin|sys|usr)?(\/|$)/.test(path) && !/^\/(proc|dev\/shm)\//.test(path);

const isOfThisHome = ({ place }: OriginEntry): boolean => place === undefined;
/** Its file is elsewhere, or there is another one. */
const isStale = (entry: OriginEntry): boolean =>
  isOfThisHome(entry) && !entry.gone && identityOf(entry.path) !== entry.file;
/** A stale entry as it is now. `place`: where its file is, if anywhere. */
function settled(entry: OriginEntry, place: string | undefined): readonly OriginEntry[] {
  const other = identityOf(entry.path);
  if (place === undefined && other === undefined) return [{ ...entry, gone: true }];
  return [
    ...(place === undefined ? [] : [{ ...entry, path: place }]),
    // Another file has its name: the same one, rewritten, as far as anybody can tell.
    ...(other === undefined ? [] : [{ ...entry, file: other }]),
  ];
}
const isGone = (entry: OriginEntry): boolean =>
  entry.gone ?? (isOfThisHome(entry) && !existsSync(entry.path));
/** What is gone from another host's home may still be in this one. */
const mayBeHere = (entry: OriginEntry): boolean => !entry.gone || !isOfThisHome(entry);
const isThere = (entry: OriginEntry): boolean => mayBeHere(entry) && existsSync(entry.path);
const covers = (entry: OriginEntry, real: string): boolean => mayBeHere(entry) && isWithin(entry.path, real);

function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && identityIn(stats);
  } catch {
    return undefined;
  }
}

/** The names by which a command may refer to the file: its own, and that of its folder in the home. */
function namesOf(path: string, home: string): readonly string[] {
  const name = basename(path);
  const folder = isWithin(home, path) ? relative(home, dirname(path)).split(sep).join('/') : '';
  return [...(name.length >= minNameLength ? [name] : [path]), ...(folder === '' ? [] : [folder])];
}

/** Whether the text names a file for which its folder stands. */
const isFileNamed = (text: string, { path, files }: OriginEntry): boolean =>
  files !== undefined &&
  text
    .split(/[\s"'`;|&<>()=,:]+/)
    .some(
      (word) => word.length >= minNameLength && word.length <= maxPathLength && existsSync(join(path, word)),
    );

function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
