import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { User } from '../../core/platform/places.ts';
import type { FileOrigins, NamingCommand } from '../../api/store/file-origins.ts';
import type { Origin } from '../../api/provenance.ts';
import { isFolder, isWithin } from '../../core/files/paths.ts';
import { localDocuments, readIfThere, type SharedFolder } from '../documents/documents.ts';
import { foldOrigins, shortIdentity } from './fold-origins.ts';
import { localFormat, realOf, sharedFormat, type OriginEntry } from './origin-entries.ts';
import { writtenBy } from './written-files.ts';

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

/**
 * One file, read again when it has changed, since other processes of the home may write to it. Hosts that share their
 * state know the paths of each other's files within the home: the same text may be there on any of them.
 */
export function createFileOrigins(
  home: string,
  { userHome }: Pick<User, 'userHome'>,
  shared?: SharedFolder,
): FileOrigins {
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
  const origins: FileOrigins = {
    note: (given, origin) => add([given], origin),
    noteWritten: (ran, began, origin) => add(writtenBy(wordsOf(ran), ran.cwd, began, data), origin),
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
    namedIn(text) {
      if (text.includes(data) || nameOfRecords.test(text)) return ownRecords;
      const entry = read().findLast(
        (one) =>
          (namesOf(one.path, realHome).some((name) => isNamed(text, name)) || isFileNamed(text, one)) &&
          isThere(one),
      );
      return entry && withPlace(entry.path, entry, realHome);
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
      const entry = read().findLast((one) => covers(one, real) || (isWithin(real, one.path) && isThere(one)));
      return entry && withPlace(entry.path, entry, realHome);
    },
  };
  return origins;
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
  [...command.split(/[\s"'`;|&<>()=]+/), ...words].filter(
    (word) => word !== '' && word.length <= maxPathLength && !word.includes('\0'),
  );

const outsider = (path: string): Origin | undefined =>
  isOfSystem(path) ? undefined : { kind: 'file', what: path };

/** Programs, libraries and devices, which command lines name all the time. */
const isOfSystem = (path: string): boolean =>
  /^\/(bin|dev|lib\w*|nix|opt|proc|sbin|sys|usr)?(\/|$)/.test(path) && !/^\/(proc|dev\/shm)\//.test(path);

const isOfThisHome = ({ place }: OriginEntry): boolean => place === undefined;
const isGone = (entry: OriginEntry): boolean =>
  entry.gone ?? (isOfThisHome(entry) && !existsSync(entry.path));
/** What is gone from another host's home may still be in this one. */
const mayBeHere = (entry: OriginEntry): boolean => !entry.gone || !isOfThisHome(entry);
const isThere = (entry: OriginEntry): boolean => mayBeHere(entry) && existsSync(entry.path);
const covers = (entry: OriginEntry, real: string): boolean => mayBeHere(entry) && isWithin(entry.path, real);

function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
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
