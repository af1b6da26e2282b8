import { readdirSync, statSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileMentions } from '../../api/known-folders.ts';
import { isDocument } from './is-document.ts';
import { isWithin, realPathOf } from './paths.ts';
import { pathWordsIn, type PathWords } from '../text/words-in-command.ts';
import { tryReadRegularFile } from './regular-file.ts';

/** The files that commands, hooks, servers and schedules mention. All paths are absolute. */
export interface NamedFiles {
  /** All mentioned files, existing or not, and folders of programs with everything they may load. */
  readonly named: readonly string[];
  /** Folders in which a program runs that contain much else. Only documents in them can't be loaded by it. */
  readonly dependencyFolders: readonly string[];
}

/** Maximum size of a program that is read. */
const maxFileBytes = 262_144;
/** Maximum number of programs that are read for the files they mention. */
const maxFilesRead = 200;

/** `areas`: the folders that callers can access. `settled`: folders whose files are guarded anyway, except areas in them. */
export interface SearchAreas {
  readonly areas: readonly string[];
  readonly settled: readonly string[];
}

/** Finds the files that texts mention, reading mentioned programs in turn. Caches what doesn't change. */
export function createNameFinder(
  userHome: string,
): (mentions: readonly FileMentions[], reach: SearchAreas) => NamedFiles {
  const programs = new Map<string, { readonly version: string; readonly words: PathWords }>();
  let texts = new Map<string, PathWords>();
  const inProgram = (path: string, { size, mtimeMs }: Stats): PathWords => {
    const version = `${size} ${mtimeMs}`;
    const before = programs.get(path);
    if (before?.version === version) return before.words;
    const words = pathWordsIn(size > maxFileBytes ? '' : readText(path));
    programs.set(path, { version, words });
    return words;
  };
  return (mentions, reach) => {
    const before = texts;
    texts = new Map();
    const inText = (text: string): PathWords => {
      const words = before.get(text) ?? pathWordsIn(text);
      texts.set(text, words);
      return words;
    };
    return findNamed(mentions, reach, { inProgram, inText, userHome });
  };
}

interface Words {
  readonly inProgram: (path: string, stats: Stats) => PathWords;
  readonly inText: (text: string) => PathWords;
  readonly userHome: string;
}

/** Where a word occurs. A program mentions many files that it only reads or writes, and prose runs nothing. */
type Kind = 'command' | 'program' | 'prose';

function findNamed(
  mentions: readonly FileMentions[],
  { areas, settled }: SearchAreas,
  { inProgram, inText, userHome }: Words,
): NamedFiles {
  const named = new Set<string>();
  const dependencyFolders = new Set<string>();
  const read = new Set<string>();
  const entries = new Map<string, ReadonlySet<string>>();
  const isReachable = (path: string): boolean => areas.some((area) => isWithin(area, path));
  const within = (folders: readonly string[], path: string): number =>
    Math.max(...folders.map((folder) => (isWithin(folder, path) ? folder.length : -1)), -1);
  const isSettled = (path: string): boolean => within(settled, path) > within(areas, path);
  const holdsArea = (folder: string): boolean => areas.some((area) => isWithin(folder, area));
  for (const { texts, folders, prose, runs = [] } of mentions) {
    for (const text of texts) look(inText(text), folders, prose ? 'prose' : 'command');
    for (const path of runs) named.add(realPathOf(path));
  }
  return { named: [...named], dependencyFolders: [...dependencyFolders] };

  function toPath(word: string, base: string): string {
    return /^~(?=\/|$)/.test(word) ? join(userHome, word.slice(1)) : resolve(base, word);
  }

  /** The folder that a word names, or that its pattern lists: `hooks/*.sh`. */
  function foldersAt(word: string, folders: readonly string[]): readonly string[] {
    const plain = /[*?]/.test(word) ? dirname(word.replace(/[*?].*$/s, 'x')) : word;
    return folders.map((base) => toPath(plain, base)).filter((path) => statsOf(path)?.isDirectory() === true);
  }

  function look({ words, ends, finds }: PathWords, folders: readonly string[], kind: Kind): void {
    if (finds && kind !== 'prose')
      for (const word of words) for (const base of folders) search(word, base, kind);
    const inside = kind !== 'command' ? [] : [...words].flatMap((word) => foldersAt(word, folders));
    for (const base of new Set([...folders, ...inside])) {
      const isOwn = folders.includes(base);
      for (const word of words) {
        const evenMissing = mayCome(word, kind, isOwn);
        if (evenMissing || begins(word, base)) meet(toPath(word, base), base, kind, evenMissing);
      }
      for (const end of ends) if (begins(end, base)) meet(resolve(base, end), base, kind, false);
    }
  }

  /** Everything in a searched folder, except documents, may be run. */
  function search(word: string, base: string, kind: Kind): void {
    const first = word.split('/').findIndex((name) => /[$*?{]/.test(name));
    if (first === 0 || word.length > 1024 || !begins(word, base)) return;
    if (kind === 'program' && !/^[\w.-]+\/[\w.$*?{}/-]+$/.test(word)) return;
    const isPattern = first > 0;
    const folder = realPathOf(toPath(isPattern ? word.split('/').slice(0, first).join('/') : word, base));
    const isArea = areas.includes(folder);
    if (!isReachable(folder) || isSettled(folder) || (holdsArea(folder) && !isArea)) return;
    // A word may name a future folder only inside a workspace or a listed folder.
    const mayBe =
      statsOf(folder)?.isDirectory() ?? (isPattern || (word.includes('/') && !word.includes('.')));
    if (mayBe && (kind === 'command' || !isArea || isPattern)) dependencyFolders.add(folder);
  }

  /** Whether a file could exist there. Most words aren't names, and checking each on disk would be too slow. */
  function begins(word: string, base: string): boolean {
    const [first = ''] = word.split('/');
    if (/^(\.{0,2}|~)$/.test(first)) return true;
    let names = entries.get(base);
    if (!names) entries.set(base, (names = new Set(namesIn(base))));
    return names.has(first);
  }

  /** `evenMissing`: include the path even if nothing exists there yet. */
  function meet(path: string, base: string, kind: Kind, evenMissing: boolean): void {
    const stats = statsOf(path);
    if (!stats && (!evenMissing || !isReachable(path) || isSettled(path))) return;
    const real = realPathOf(path);
    if (!isReachable(path) && !isReachable(real)) return;
    if (stats?.isDirectory()) {
      if (kind === 'command' && !holdsArea(real)) dependencyFolders.add(real);
      return;
    }
    if (kind === 'program' && isDocument(real)) return;
    named.add(path).add(real);
    if (!stats?.isFile() || kind === 'prose' || isDocument(real)) return;
    const folder = dirname(real);
    if (kind === 'command') (holdsArea(folder) ? dependencyFolders : named).add(folder);
    if (read.has(real) || read.size >= maxFilesRead) return;
    read.add(real);
    look(inProgram(real, stats), [...new Set([folder, base])], 'program');
  }
}

/**
 * Whether a word names a file that doesn't exist yet. `isOwn`: names start there, and not only in a folder that is
 * mentioned too.
 */
function mayCome(word: string, kind: Kind, isOwn: boolean): boolean {
  if (kind === 'command') return isOwn || /[./]/.test(word);
  const isPathLike = /\w[./]\w|^[./]/.test(word) && !word.includes('//');
  return isPathLike && (kind === 'prose' || !isDocument(word));
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const readText = (path: string): string => tryReadRegularFile(path)?.toString('utf8') ?? '';
