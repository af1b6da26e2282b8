import { join } from 'node:path';
import type { Logger } from '../api/log.ts';
import { messageOf } from './errors.ts';
import { shorten } from './text/shorten.ts';
import { openRotatingFile } from './files/rotating-file.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
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
      write({ ...fields, time: new Date().toISOString(), level, name, message });
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

/** Size of a log file and number of old ones: 20 MB in total. */
const logLimits = { maxBytes: 5 * 1024 * 1024, maxFiles: 3 } as const;

export interface HomeLoggerOptions {
  /** Whether entries of level `debug` are kept. */
  readonly debug?: boolean;
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

/** Whether these variables ask for entries of level `debug`. */
export const keepsDebug = (env: Readonly<NodeJS.ProcessEnv>): boolean => Boolean(env['PEGBOARD_DEBUG']);

/**
 * A log of one JSON document per line, appended in order. A log that can't be written never fails what it reports on.
 * It doesn't create a missing or removed home.
 */
export function createHomeLogger(
  home: string,
  redact: (text: string) => string,
  { debug = false, ...limits }: HomeLoggerOptions = {},
): Logger & Disposable {
  const file = openRotatingFile({ ...logLimits, ...limits, path: logFileOf(home), home });
  const logger = createLogger((entry) => {
    if (entry.level === 'debug' && !debug) return;
    file.append(`${redact(JSON.stringify(entry, showErrors))}\n`);
  });
  return { ...logger, [Symbol.dispose]: () => file[Symbol.dispose]() };
}

/** Characters of one text: what others wrote may be in it. */
const maxTextLength = 10_000;

function showErrors(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, maxTextLength);
  if (!(value instanceof Error)) return value;
  return {
    message: messageOf(value),
    stack: value.stack,
    ...(value.cause !== undefined && { cause: value.cause }),
  };
}
