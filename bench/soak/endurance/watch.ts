import { existsSync, readdirSync, statSync } from 'node:fs';
import { residentMemory } from '../../kit/process.ts';
import { passes } from '../kills.ts';

/** Measurements of a process from outside. */
export interface Sample {
  /** Share of the work that was done at that time. */
  readonly done: number;
  /** MB. */
  readonly memory: number;
  readonly descriptors: number;
  /** MB of the database's write-ahead log. */
  readonly wal: number;
}

export function look(pid: number, database: string, done: number): Sample {
  const wal = `${database}-wal`;
  return {
    done,
    memory: residentMemory(pid),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    wal: existsSync(wal) ? statSync(wal).size / 2 ** 20 : 0,
  };
}

export async function keepLooking(
  pid: number,
  database: string,
  { signal, done }: { readonly signal: AbortSignal; readonly done: () => number },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (await passes(500, signal)) samples.push(look(pid, database, done()));
  return samples;
}
