import type { JsonObject } from '../api/result.ts';
import { messageOf, PegboardError } from '../core/errors.ts';

/** The arguments that a model wrote. Throws PEG_INVALID_ARGUMENTS with what it has to mend. */
export function readArguments(text: string): JsonObject {
  if (text.trim() === '') return {};
  const value = parse(text);
  // Some models write their JSON twice over.
  const args = typeof value === 'string' ? parse(value) : value;
  if (args === null) return {};
  if (typeof args === 'object' && !Array.isArray(args)) return args as JsonObject;
  throw unreadable(`they are ${Array.isArray(args) ? 'an array' : `a ${typeof args}`}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw unreadable(messageOf(cause));
  }
}

/** `why` may quote the arguments; left out where they may hold a secret. */
export function unreadable(why?: string): PegboardError {
  return new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `The arguments are no JSON object${why === undefined ? '' : `: ${why}`}. Nothing was run. Send the call again with the arguments as one complete JSON object.`,
  );
}
