import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../api/log.ts';

/** One call, in one line; what is undefined is not written. */
export interface AuditLine {
  /** ISO 8601, of its end. */
  readonly at: string;
  /** Who called: "cli", "mcp:cursor", "agent". */
  readonly caller: string;
  /** The acting agent; undefined for the owner. */
  readonly agent: string | undefined;
  /** The channel and conversation of the turn. */
  readonly turn: string | undefined;
  readonly tool: string;
  /** First 16 digits of the SHA-256 of its arguments' canonical JSON. */
  readonly args: string | undefined;
  /** How it was allowed to run; undefined: it did not come that far. */
  readonly consent: string | undefined;
  /** "ok", or the code of the failure. */
  readonly outcome: string;
  readonly ms: number;
  /** Characters of text that came back. */
  readonly characters: number;
}

export interface Audit extends Disposable {
  record(line: AuditLine): void;
}

/** Bytes after which a file is put aside; so many old ones are kept. */
const longest = 10 * 1024 * 1024;
const kept = 5;

export const auditFileOf = (home: string): string => join(home, 'data/logs/audit.jsonl');

/**
 * Appends in order: all lines of one turn of the event loop at once, since a file opened for each call would take longer
 * than most calls, and no later, since whoever kills the process may have heard of the result. A home that isn't there
 * is not made by it; what can't be written is said once in the log.
 */
export function createAudit(home: string, log: Logger): Audit {
  const path = auditFileOf(home);
  let waiting: string[] = [];
  let due: NodeJS.Immediate | undefined;
  let failed = false;
  const write = (): void => {
    clearImmediate(due);
    due = undefined;
    const lines = waiting.join('');
    waiting = [];
    if (lines === '' || !existsSync(home)) return;
    try {
      mkdirSync(dirname(path), { recursive: true });
      rotate(path);
      appendFileSync(path, lines, { mode: 0o600 });
    } catch (cause) {
      if (!failed) log.error(`calls can't be recorded in ${path}`, { cause });
      failed = true;
    }
  };
  return {
    record(line) {
      waiting.push(`${JSON.stringify(line)}\n`);
      due ??= setImmediate(write);
    },
    [Symbol.dispose]: write,
  };
}

function rotate(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < longest) return;
  for (let age = kept - 1; age >= 1; age--) {
    if (existsSync(`${path}.${age}`)) renameSync(`${path}.${age}`, `${path}.${age + 1}`);
  }
  renameSync(path, `${path}.1`);
}
