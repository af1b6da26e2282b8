import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from './private-data.ts';

export interface RotatingFileOptions {
  /** Absolute. */
  readonly path: string;
  /** The folder whose file it is: one that isn't there, or was removed, is not made by it. */
  readonly home: string;
  /** Bytes after which the file is put aside as `path.1`, that one as `path.2`, and so on. */
  readonly maxBytes: number;
  /** How many old ones are kept: it all takes `maxBytes` × (`kept` + 1) bytes, and the last lines written. */
  readonly maxFiles: number;
  /** What was to be written then is lost. */
  readonly onFailure?: (cause: unknown) => void;
}

/** Text appended in order, by any number of processes. Disposing writes the rest. */
export interface RotatingFile extends Disposable {
  /** Written with all that is appended in this turn of the event loop, at its end. Never throws. */
  append(text: string): void;
  /** Written when this returns. */
  flush(): void;
}

/** Milliseconds for which the file is held open: opening it takes longer than most calls. */
const keepOpenMs = 1_000;

export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  const { path, home, onFailure } = options;
  let waiting: string[] = [];
  let due: NodeJS.Immediate | undefined;
  let file: number | undefined;
  let closing: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(closing);
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const open = (): number => {
    makePrivateFolder(dirname(path));
    if (sizeOf(path) >= options.maxBytes) rotate(options);
    // What another process puts aside meanwhile takes these lines along.
    closing = setTimeout(close, keepOpenMs).unref();
    return openSync(path, 'a', 0o600);
  };
  const flush = (): void => {
    clearImmediate(due);
    due = undefined;
    const text = waiting.join('');
    waiting = [];
    if (text === '' || (file === undefined && !existsSync(home))) return;
    try {
      writeSync((file ??= open()), text);
    } catch (cause) {
      onFailure?.(cause);
    }
  };
  return {
    append(text) {
      waiting.push(text);
      due ??= setImmediate(flush);
    },
    flush,
    [Symbol.dispose]() {
      flush();
      close();
    },
  };
}

/** The file and those put aside, youngest first, as far as they are there. */
export function rotatedFiles(path: string): readonly string[] {
  const files: string[] = existsSync(path) ? [path] : [];
  for (let age = 1; existsSync(`${path}.${age}`); age++) files.push(`${path}.${age}`);
  return files;
}

/** Milliseconds after which whoever began to rotate has died. */
const staleLockMs = 10_000;

/** One process at a time: a second one would put the new file in the place of the one just put aside. */
function rotate({ path, maxBytes, maxFiles }: RotatingFileOptions): void {
  const lock = `${path}.rotating`;
  if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > staleLockMs)
    rmSync(lock, { force: true });
  try {
    writeFileSync(lock, '', { flag: 'wx', mode: 0o600 });
  } catch {
    return;
  }
  try {
    if (sizeOf(path) < maxBytes) return;
    for (let age = maxFiles - 1; age >= 1; age--) {
      if (existsSync(`${path}.${age}`)) renameSync(`${path}.${age}`, `${path}.${age + 1}`);
    }
    renameSync(path, `${path}.1`);
  } finally {
    rmSync(lock, { force: true });
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
