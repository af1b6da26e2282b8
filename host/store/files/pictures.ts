import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteOldest } from './artifacts.ts';

/**
 * Keeps a picture that a tool has returned in a private file of the home, for as long as artifacts, and returns its path:
 * the same one for the same picture. Throws when it can't be written.
 */
export function keepPicture(home: string, bytes: Buffer, mimeType: string): string {
  const folder = join(home, 'data/pictures');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  void deleteOldest(folder, bytes.length, { isOwn: isPicture });
  const path = join(folder, `${hash('sha256', bytes).slice(0, 16)}.${mimeType.replace(/^image\//, '')}`);
  writeFileSync(path, bytes, { mode: 0o600 });
  return path;
}

export const isPicture = (name: string): boolean => /\.(?:png|jpeg|gif|webp)$/.test(name);
