import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { draftName } from './draft.ts';
import { readJsonFile } from './json-file.ts';

interface HashedContent {
  /** SHA-256 */
  readonly hash: string;
  readonly isExecutable: boolean;
}

/**
 * What files hold, read again only when they have changed: the system itself sets the time of the last change of a file's
 * data or properties (ctime), and no program can set it back.
 */
export interface ContentHashes {
  /** The hash of a regular file, also through links. Throws when it can't be read or changes while it is read. */
  of(path: string): HashedContent;
  /** Keeps what was learned for the next process. Never throws. */
  save(): void;
}

/** Times in milliseconds. */
type Known = readonly [size: number, mtimeMs: number, ctimeMs: number, hash: string];

/** Milliseconds after a change within which a second one may bear the same time: FAT counts by two seconds. */
const clockResolutionMs = 2_500;
/** Files that were read: for fewer, keeping what was learned costs more than it saves. */
const worthKeeping = 100;

/** `file` contains the hashes of earlier processes. Only this user may write there. */
export function openContentHashes(file: string): ContentHashes {
  let known: Map<string, Known> | undefined;
  const kept = (): Map<string, Known> =>
    (known ??= new Map(Object.entries(readJsonFile(file) ?? {}).filter(isKnown)));
  let learned = 0;

  const read = (path: string): HashedContent => {
    // Must not block if the file was replaced by a pipe.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const before = fstatSync(descriptor);
      const now = hash('sha256', readFileSync(descriptor));
      const entry: Known = [before.size, before.mtimeMs, before.ctimeMs, now];
      if (!isSame(entry, fstatSync(descriptor))) throw new Error(`${path} changes while it is read`);
      if (Date.now() - before.ctimeMs > clockResolutionMs) {
        kept().set(keyOf(before), entry);
        learned++;
      }
      return { hash: now, isExecutable: isExecutable(before) };
    } finally {
      closeSync(descriptor);
    }
  };
  return {
    of(path) {
      const now = statSync(path);
      const found = kept().get(keyOf(now));
      return found && isSame(found, now) ? { hash: found[3], isExecutable: isExecutable(now) } : read(path);
    },
    save() {
      if (learned < worthKeeping) return;
      learned = 0;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        const draft = join(dirname(file), draftName());
        writeFileSync(draft, JSON.stringify(Object.fromEntries(kept())), { flag: 'wx', mode: 0o600 });
        renameSync(draft, file);
      } catch {
        // Then the next process reads the files again.
      }
    },
  };
}

const keyOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

const isExecutable = ({ mode }: Stats): boolean => (mode & 0o111) !== 0;

const isSame = ([size, mtimeMs, ctimeMs]: Known, now: Stats): boolean =>
  size === now.size && mtimeMs === now.mtimeMs && ctimeMs === now.ctimeMs;

const isKnown = (entry: [string, unknown]): entry is [string, Known] =>
  Array.isArray(entry[1]) && entry[1].length === 4 && typeof entry[1][3] === 'string';
