import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../api/log.ts';
import { openRotatingFile } from '../core/files/rotating-file.ts';
import { parseJson, toJson } from '../core/documents/written-numbers.ts';

/** One call, written as one line; undefined members are left out. */
export interface AuditLine {
  /** When it ended, ISO 8601. */
  readonly at: string;
  /** As in `ToolCall.id`. */
  readonly id: string;
  /** The id of the call that made it, or that began the turn in which it was made. */
  readonly within: string | undefined;
  /** Who called: "cli", "mcp:cursor", "agent:example". */
  readonly caller: string;
  /** The acting agent; undefined for the owner. */
  readonly agent: string | undefined;
  /** The channel and conversation of the turn: "telegram/12". */
  readonly turn: string | undefined;
  readonly tool: string;
  /** First 16 digits of the SHA-256 of its arguments' canonical JSON. */
  readonly args: string | undefined;
  /** Undefined: the call ended before a decision. */
  readonly verdict: 'allowed' | 'refused' | undefined;
  /**
   * Who decided: "rule", "permission", "configuration", "approval", "person", "nobody", "access", "tool", "hook of agent example".
   */
  readonly by: string | undefined;
  /** "ok", or the code of the failure. */
  readonly outcome: string;
  /** Without the time for which it waited for a person. */
  readonly ms: number;
  /** Milliseconds for which it waited for a person; undefined if nobody was asked. */
  readonly waitedMs: number | undefined;
  /** Tokens of its result as a model reads it: four characters to a token. */
  readonly tokens: number;
  /** Usage of models in the turns that it began; dollars where the price is known. */
  readonly used: { readonly input: number; readonly output: number; readonly cost?: number } | undefined;
}

export interface Audit extends Disposable {
  /**
   * The record is in the file when this returns. This happens before a result leaves the process, so that no result is
   * ever without a record.
   */
  flush(): void;
  record(line: AuditLine): void;
}

/** Bytes of a file, and the number of old files that are kept: 60 MB in total. A line takes 300 bytes. */
const auditLimits = { maxBytes: 10 * 1024 * 1024, maxFiles: 5 } as const;

export const auditFileOf = (home: string): string => join(home, 'data/logs/audit.jsonl');

/**
 * How often a person has allowed an agent the same call of a tool, as far as the newest file goes back. `args`: as in
 * AuditLine.
 */
export function timesAllowed(
  home: string,
  { agent, tool, args }: { readonly agent: string; readonly tool: string; readonly args: string },
): number {
  const path = auditFileOf(home);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.filter((line) => {
    if (!line.includes(args) || !line.endsWith('}')) return false;
    const said = parseJson(line) as Partial<AuditLine>;
    const isSame = said.agent === agent && said.tool === tool && said.args === args;
    return isSame && said.verdict === 'allowed' && said.by?.startsWith('person') === true;
  }).length;
}

/** Appends in order. Doesn't create a missing home; failures to write are logged once. */
export function createAudit(
  home: string,
  log: Logger,
  limits: { readonly maxBytes: number; readonly maxFiles: number } = auditLimits,
): Audit {
  const path = auditFileOf(home);
  let failed = false;
  const file = openRotatingFile({
    ...limits,
    path,
    home,
    onFailure(cause) {
      if (!failed) log.error(`calls can't be recorded in ${path}`, { cause });
      failed = true;
    },
  });
  return {
    record: (line) => file.append(`${toJson(line)}\n`),
    flush: () => file.flush(),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}
