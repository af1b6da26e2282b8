import { createHash } from 'node:crypto';
import { constants, readdirSync, type BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { PegboardError } from 'pegboard';
import type { OpenedPath } from './access/descent.ts';

export const maxFileBytes = 50 * 1024 * 1024;
/** Bytes. */
const hashedAtOnce = 256 * 1024;

/** Identifies a file in the state in which it was read: name, content and time. */
export interface FileState {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified: bigint;
  readonly hash: string;
}

/** The whole file. Throws PEG_TOOL_FAILED when it is not a regular file or larger than 50 MB. */
export async function readBytes(reached: OpenedPath): Promise<Buffer> {
  await using handle = await openWhole(reached);
  return handle.readFile();
}

/** The whole file and its state. */
export async function readWhole(
  reached: OpenedPath,
): Promise<{ readonly bytes: Buffer; readonly state: FileState }> {
  await using handle = await openWhole(reached);
  const bytes = await handle.readFile();
  return { bytes, state: await toState(await handle.stat({ bigint: true }), bytes) };
}

function openWhole(reached: OpenedPath): Promise<FileHandle> {
  const { path, stats } = reached;
  if (!stats) throw missing(reached);
  checkReadable(path, stats);
  return reached.open(constants.O_RDONLY);
}

export async function toState(
  { dev, ino, size, mtimeNs }: BigIntStats,
  bytes: Uint8Array,
): Promise<FileState> {
  // Large ones are hashed by another thread.
  const hash =
    bytes.length < hashedAtOnce
      ? createHash('sha256').update(bytes).digest('base64')
      : Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString(
          'base64',
        );
  return { device: dev, inode: ino, size, modified: mtimeNs, hash };
}

export function isSameState(a: FileState, b: FileState): boolean {
  return (
    a.device === b.device &&
    a.inode === b.inode &&
    a.size === b.size &&
    a.modified === b.modified &&
    a.hash === b.hash
  );
}

export function checkReadable(path: string, stats: BigIntStats): void {
  if (stats.isDirectory()) {
    throw new PegboardError('PEG_TOOL_FAILED', `${path} is a folder: use listdir to see what is in it.`);
  }
  if (!stats.isFile()) {
    throw new PegboardError('PEG_TOOL_FAILED', `${path} is a device, pipe or socket, not a file.`);
  }
  if (stats.size > maxFileBytes) {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${path} has ${stats.size.toLocaleString('en')} bytes; files up to ${toMegabytes(maxFileBytes)} MB are handled.`,
    );
  }
}

/** The error for a missing file, with similar names from the same folder. */
export function missing({ path, folder, name }: Pick<OpenedPath, 'path' | 'folder' | 'name'>): PegboardError {
  const near = (folder === undefined ? [] : neighbours(folder)).filter((other) => stem(other) === stem(name));
  const hint = near.length > 0 ? ` Did you mean ${near.slice(0, 3).join(' or ')}?` : '';
  return new PegboardError('PEG_TOOL_FAILED', `${path} does not exist.${hint}`);
}

function neighbours(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const stem = (name: string): string => name.toLowerCase().replace(/(?<=.)\.[^.]*$/, '');

export function toMegabytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toLocaleString('en', { maximumFractionDigits: 1 });
}
