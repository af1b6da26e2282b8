import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { rotatedFiles } from '../files/rotating-file.ts';

/** Maximum bytes read of one file, more than a rotated file has. */
const maxBytes = 16 * 1024 * 1024;

/** The end of a file at some moment. */
export interface FileEnd {
  readonly ino: number;
  /** In bytes. */
  readonly size: number;
}

export const endOf = (path: string): FileEnd =>
  statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, size: 0 };

/** The last matching lines in order, including those of rotated files. Lines after `end` are ignored. */
export function lastLines(
  path: string,
  count: number,
  isWanted: (line: string) => boolean,
  end?: FileEnd,
): readonly string[] {
  let found: string[] = [];
  for (const file of rotatedFiles(path)) {
    if (found.length >= count) break;
    const { ino, size: now } = statSync(file);
    const size = ino === end?.ino ? end.size : now;
    const lines = readBetween(file, Math.max(0, size - maxBytes), size)
      .split('\n')
      .filter((line) => line !== '' && isWanted(line));
    found = [...lines.slice(found.length - count), ...found];
  }
  return found;
}

export function readBetween(path: string, from: number, to: number): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(to - from);
    const read = readSync(file, buffer, 0, buffer.length, from);
    return buffer.toString('utf8', 0, read);
  } finally {
    closeSync(file);
  }
}
