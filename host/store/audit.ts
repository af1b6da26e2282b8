import { existsSync, renameSync, statSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../api/log.ts';

/** One call, in one line. */
export interface AuditLine {
  /** ISO 8601, of its end. */
  readonly at: string;
  /** Who called: "cli", "mcp:cursor", "agent". */
  readonly caller: string;
  /** The acting agent; absent for the owner. */
  readonly agent?: string;
  /** The channel and conversation of the turn. */
  readonly turn?: string;
  readonly tool: string;
  /** First 16 digits of the SHA-256 of its arguments' canonical JSON. */
  readonly args?: string;
  /** How it was allowed to run; absent: it did not come that far. */
  readonly consent?: string;
  /** "ok", or the code of the failure. */
  readonly outcome: string;
  readonly ms: number;
  /** Characters of text that came back. */
  readonly characters: number;
}

export interface Audit extends AsyncDisposable {
  record(line: AuditLine): void;
}

/** Bytes after which a file is put aside; so many old ones are kept. */
const longest = 10 * 1024 * 1024;
const kept = 5;

export const auditFileOf = (home: string): string => join(home, 'data/logs/audit.jsonl');

/** Appends in order, batched. A home that isn't there is not made by it; what can't be written is said once in the log. */
export function createAudit(home: string, log: Logger): Audit {
  const path = auditFileOf(home);
  let waiting: string[] = [];
  let writing: Promise<void> | undefined;
  let failed = false;
  const flush = async (): Promise<void> => {
    if (!existsSync(home)) return void (waiting = []);
    await mkdir(dirname(path), { recursive: true });
    while (waiting.length > 0) {
      const lines = waiting.join('');
      waiting = [];
      rotate(path);
      await appendFile(path, lines, { mode: 0o600 });
    }
  };
  return {
    record(line) {
      waiting.push(`${JSON.stringify(line)}\n`);
      writing ??= flush()
        .catch((cause: unknown) => {
          waiting = [];
          if (!failed) log.error(`calls can't be recorded in ${path}`, { cause });
          failed = true;
        })
        .then(() => void (writing = undefined));
    },
    [Symbol.asyncDispose]: async () => writing,
  };
}

function rotate(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < longest) return;
  for (let age = kept - 1; age >= 1; age--) {
    if (existsSync(`${path}.${age}`)) renameSync(`${path}.${age}`, `${path}.${age + 1}`);
  }
  renameSync(path, `${path}.1`);
}
