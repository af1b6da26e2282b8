import { readdir, stat } from 'node:fs/promises';
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

export async function sizeOfData(home: string): Promise<DataSize> {
  const size = { database: 0, artifacts: 0, backups: 0, logs: 0, other: 0 };
  for (const name of await namesIn(join(home, 'data'))) {
    const kind = name.startsWith('pegboard.db') ? 'database' : name;
    const part = Object.hasOwn(size, kind) ? (kind as keyof typeof size) : 'other';
    size[part] += await bytesOf(join(home, 'data', name));
  }
  return { total: Object.values(size).reduce((sum, bytes) => sum + bytes, 0), ...size };
}

async function bytesOf(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  let sum = 0;
  for (const name of await namesIn(path)) sum += await bytesOf(join(path, name));
  return sum;
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
