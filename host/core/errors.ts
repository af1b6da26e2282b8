import { types } from 'node:util';
import type { Stage, ToolFailure } from '../api/result.ts';
import { shorten } from './text/shorten.ts';

/** All error codes with the exit codes of the command line. */
export const errorCodes = {
  PEG_TOOL_NOT_FOUND: 4,
  PEG_TOOL_UNAVAILABLE: 3,
  PEG_INVALID_ARGUMENTS: 2,
  PEG_INVALID_SCHEMA: 1,
  PEG_DENIED: 3,
  PEG_DECLINED: 3,
  PEG_NOBODY_TO_ASK: 3,
  PEG_CLIENT_CAPABILITY: 1,
  PEG_HOOK_FAILED: 3,
  PEG_UNKNOWN_HOME: 3,
  PEG_NO_SANDBOX: 3,
  PEG_TIMEOUT: 124,
  PEG_CANCELLED: 1,
  PEG_UNCERTAIN: 1,
  PEG_CLAIM_LOST: 1,
  PEG_TOOL_FAILED: 1,
  PEG_COMMAND_FAILED: 1,
  PEG_SCRIPT_FAILED: 1,
  PEG_PROGRAM_NOT_FOUND: 1,
  PEG_MISSING_VARIABLE: 1,
  PEG_SERVER_UNAVAILABLE: 1,
  PEG_SERVER_UNAUTHORIZED: 1,
  PEG_SERVER_ERROR: 1,
  PEG_NO_ARTIFACT: 1,
  PEG_MODEL_UNAVAILABLE: 1,
  PEG_MODEL_REFUSED: 1,
  PEG_NO_MODEL: 2,
  PEG_LIMIT: 1,
  PEG_BUSY: 1,
  PEG_DATABASE: 1,
  PEG_FILES: 1,
  PEG_USAGE: 2,
  PEG_CONFIG: 2,
  PEG_INTERNAL: 1,
} as const satisfies Record<string, number>;
export type ErrorCode = keyof typeof errorCodes;

/** An error whose message can be shown as it is: what happened, where, and what to do. */
export class PegboardError extends Error {
  readonly code: ErrorCode;
  readonly data: unknown;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly data?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PegboardError';
    this.code = code;
    this.data = options.data;
  }
}

/**
 * An error thrown in `stage` as a failure. Anything but a PegboardError is the tool's failure in `execute`, and an
 * internal error elsewhere.
 */
export function toFailure(stage: Stage, thrown: unknown): ToolFailure {
  if (thrown instanceof PegboardError) {
    const { code, message, data } = thrown;
    return data === undefined ? { code, stage, message } : { code, stage, message, data };
  }
  return {
    code: stage === 'execute' ? 'PEG_TOOL_FAILED' : 'PEG_INTERNAL',
    stage,
    message: messageOf(thrown),
  };
}

/** Characters of a message that isn't ours. */
const maxMessageLength = 10_000;

/** The message of a thrown value; of a long one, its beginning and end. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof PegboardError) return thrown.message;
    if (thrown instanceof Error) {
      // Foreign code may have put anything there.
      const message: unknown = thrown.message || thrown.name;
      return shorten(String(message), maxMessageLength);
    }
    const text = typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown));
    return shorten(text, maxMessageLength);
  } catch {
    return 'an error that cannot be shown';
  }
}

export function exitCodeOf(code: string): number {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode] : 1;
}

/** The thrown value, or an error in its place: of a proxy, or what inherits from one, not even the class can be asked for. */
export function readable(thrown: unknown): unknown {
  for (let at = thrown; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at))
    if (types.isProxy(at)) return new Error(messageOf(thrown));
  return types.isProxy(thrown) ? new Error(messageOf(thrown)) : thrown;
}
