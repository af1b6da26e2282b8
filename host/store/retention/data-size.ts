import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Size of a home's `data/` in bytes, in total and by kind. */
export interface DataSize {
  readonly total: number;
  readonly database: number;
  readonly artifacts: number;
  readonly backups: number;
  readonly logs: number;
  readonly other: number;
}

export function sizeOfData(home: string): DataSize {
  const size = { database: 0, artifacts: 0, backups: 0, logs: 0, other: 0 };
  for (const name of namesIn(join(home, 'data'))) {
    const kind = name.startsWith('pegboard.db') ? 'database' : name;
    const part = Object.hasOwn(size, kind) ? (kind as keyof typeof size) : 'other';
    size[part] += bytesOf(join(home, 'data', name));
  }
  return { total: Object.values(size).reduce((sum, bytes) => sum + bytes, 0), ...size };
}

function bytesOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
