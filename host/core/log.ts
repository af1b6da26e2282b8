import { existsSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../api/log.ts';
import { messageOf } from './errors.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export interface LogEntry {
  readonly time: string;
  readonly level: LogLevel;
  readonly name: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

export function createLogger(write: (entry: LogEntry) => void, name = 'host'): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: object = {}): void =>
      write({ time: new Date().toISOString(), level, name, message, ...fields });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (child) => createLogger(write, `${name}:${child}`),
  };
}

export const silentLogger: Logger = createLogger(() => {});

export const logFileOf = (home: string): string => join(home, 'data/logs/host.log');

/**
 * One JSON document a line, appended in order. A log that can't be written never fails what it reports on, and a home
 * that isn't there, or was removed, is not made by it.
 */
export function createHomeLogger(home: string, redact: (text: string) => string): Logger & AsyncDisposable {
  const path = logFileOf(home);
  let waiting: string[] = [];
  let writing: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    if (existsSync(home)) await mkdir(dirname(path), { recursive: true });
    while (waiting.length > 0) {
      const lines = waiting.join('');
      waiting = [];
      await appendFile(path, lines, { mode: 0o600 });
    }
  };
  const logger = createLogger((entry) => {
    if (entry.level === 'debug' && !process.env['PEGBOARD_DEBUG']) return;
    waiting.push(`${redact(JSON.stringify(entry, showErrors))}\n`);
    writing ??= flush()
      .catch(() => (waiting = []))
      .then(() => void (writing = undefined));
  });
  return { ...logger, [Symbol.asyncDispose]: async () => writing };
}

function showErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return {
    message: messageOf(value),
    stack: value.stack,
    ...(value.cause !== undefined && { cause: value.cause }),
  };
}
