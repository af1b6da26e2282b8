import { existsSync, statSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../../api/log.ts';
import type { Database } from '../database/database.ts';

/** Days for which each kind of data is kept, from pegboard.yaml. */
export interface Retention {
  readonly toolResults: number;
  readonly usage: number;
}

export const defaultRetention: Retention = { toolResults: 90, usage: 400 };

export interface TidyOptions {
  /** Absolute path. */
  readonly home: string;
  readonly database: Database;
  /** Called each time, since the file may have changed. */
  readonly retention: () => Retention;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds until the first check, so that startup work comes first. */
  readonly delayMs?: number;
}

/** Milliseconds between two sweeps of a home, by any process, and between two checks whether one is due. */
const sweepIntervalMs = 86_400_000;
const checkIntervalMs = 3_600_000;

/** Removes old data of a home once a day, from whichever of its long-running hosts comes first. Closing ends it. */
export function keepTidy(options: TidyOptions): AsyncDisposable {
  const { log, delayMs = 60_000 } = options;
  const closing = new AbortController();
  let looking = Promise.resolve();
  const lookNow = (): void => {
    looking = looking
      .then(() => sweepIfDue(options, closing.signal))
      .catch((cause: unknown) => {
        if (!closing.signal.aborted) log.warn('old data could not be removed from data/', { cause });
      });
  };
  const first = setTimeout(lookNow, delayMs).unref();
  const timer = setInterval(lookNow, checkIntervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(first);
      clearInterval(timer);
      closing.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      await looking;
    },
  };
}

/** Runs unless a host of this home did so within a day. */
export async function sweepIfDue(options: TidyOptions, signal: AbortSignal): Promise<void> {
  const { home, now: clock = Date.now } = options;
  const mark = join(home, 'data/.swept');
  if (!existsSync(home)) return;
  signal.throwIfAborted();
  const now = clock();
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  if (Math.abs(now - last) < sweepIntervalMs) return;
  await mkdir(dirname(mark), { recursive: true, mode: 0o700 });
  await writeFile(mark, '', { mode: 0o600 });
  await utimes(mark, now / 1000, now / 1000);
  await sweep(options, now, signal);
}

/** `now`: milliseconds since 1970. */
async function sweep(
  { home, database, retention, log }: TidyOptions,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const [{ sweepFiles }, { sweepRows }] = await Promise.all([
    import('./old-files.ts'),
    import('./old-rows.ts'),
  ]);
  const files = await sweepFiles(join(home, 'data'), now, signal);
  const open = await database.existing();
  const rows = open ? await sweepRows(open, { ...retention(), now, signal }) : 0;
  if (files + rows > 0) log.info('old data was removed from data/', { files, rows });
}
