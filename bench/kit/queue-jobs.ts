import type { QueueDefinition } from '../../host/api/engine.ts';

export const queue: QueueDefinition = { name: 'bench', order: 'key', attempts: 3, keptDays: 1 };

export interface EndedJob {
  readonly n: number;
  /** As of `now`. */
  readonly begunAt: number;
  readonly endedAt: number;
}

/** Milliseconds since 1970 with their fractions, the same in all processes. */
export const now = (): number => performance.timeOrigin + performance.now();
