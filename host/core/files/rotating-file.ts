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
  /** The folder that the file belongs to. It is never created here, so a removed folder stays removed. */
  readonly home: string;
  /** Size at which the file is renamed to `path.1`, that one to `path.2`, and so on. */
  readonly maxBytes: number;
  /** Number of old files that are kept. The total is `maxBytes` × (`maxFiles` + 1), plus the last lines written. */
  readonly maxFiles: number;
  /** Called when text could not be written and is lost. */
  readonly onFailure?: (cause: unknown) => void;
}

/** A file to which any number of processes append in order. Disposing writes the rest. */
export interface RotatingFile extends Disposable {
  /** Written at the end of the current turn of the event loop, together with other text. Never throws. */
  append(text: string): void;
  /** Writes synchronously. */
  flush(): void;
}

/** Milliseconds for which the file stays open, because opening it takes longer than most calls. */
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
    // If another process rotates the file in the meantime, these lines go to the renamed one.
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

/** The existing files, newest first. */
export function rotatedFiles(path: string): readonly string[] {
  const files: string[] = existsSync(path) ? [path] : [];
  for (let age = 1; existsSync(`${path}.${age}`); age++) files.push(`${path}.${age}`);
  return files;
}

/** Milliseconds after which a process that began to rotate counts as dead. */
const staleLockMs = 10_000;

/** One process at a time: a second one would overwrite the file that was just renamed. */
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
