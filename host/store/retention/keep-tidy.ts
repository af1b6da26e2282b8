import { existsSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Engine } from '../../api/engine.ts';
import type { FileChanges } from '../../api/services/file-changes.ts';
import type { Logger } from '../../api/log.ts';
import type { Database } from '../database/database.ts';

/** Days for which each kind of data is kept, from pegboard.yaml. */
export interface Retention {
  readonly toolResults: number;
  readonly usage: number;
  readonly undo: number;
}

export const defaultRetention: Retention = { toolResults: 90, usage: 400, undo: 30 };

export interface TidyOptions {
  /** Absolute path. */
  readonly home: string;
  readonly database: Database;
  readonly changes: Pick<FileChanges, 'forget'>;
  /** Called each time, since the file may have changed. */
  readonly retention: () => Retention;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** What many hosts share is removed by one of them at a time. Absent: only this machine's hosts share it. */
  readonly engine?: Pick<Engine, 'role'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds until the first check, so that startup work comes first. */
  readonly delayMs?: number;
}

const dayMs = 86_400_000;
/** Milliseconds between two sweeps of a home, by any process, and between two checks whether one is due. */
const sweepIntervalMs = dayMs;
const checkIntervalMs = 3_600_000;
const role = 'core.tidying';

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
  const tidying = options.engine?.role(role, (claim) => sweepDaily(options, claim.signal));
  const first = setTimeout(lookNow, delayMs).unref();
  const timer = setInterval(lookNow, checkIntervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(first);
      clearInterval(timer);
      closing.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      await Promise.all([looking, tidying?.[Symbol.asyncDispose]()]);
    },
  };
}

/** Removes old rows until the signal aborts. */
async function sweepDaily(options: TidyOptions, signal: AbortSignal): Promise<never> {
  const { delayMs = 60_000, now = Date.now } = options;
  for (let pause = delayMs; ; pause = sweepIntervalMs) {
    await delay(pause, undefined, { signal });
    const rows = await sweepStored(options, now(), signal);
    if (rows > 0) options.log.info('old data was removed from the database', { rows });
  }
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
async function sweep(options: TidyOptions, now: number, signal: AbortSignal): Promise<void> {
  const { sweepFiles } = await import('./old-files.ts');
  const turns = await options.changes.forget(now - options.retention().undo * dayMs);
  const files = turns + (await sweepFiles(join(options.home, 'data'), now, signal));
  const rows = options.engine ? 0 : await sweepStored(options, now, signal);
  if (files + rows > 0) options.log.info('old data was removed from data/', { files, rows });
}

async function sweepStored(
  { database, retention }: TidyOptions,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const open = await database.existing();
  if (!open) return 0;
  const { sweepRows } = await import('./old-rows.ts');
  return await sweepRows(open, { ...retention(), now, signal });
}
