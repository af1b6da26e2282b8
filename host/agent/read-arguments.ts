import type { JsonObject } from '../api/result.ts';
import { parseJson } from '../core/documents/written-numbers.ts';
import { messageOf, PegboardError } from '../core/errors.ts';
import { repeatedKey } from './repeated-key.ts';

/** The arguments that a model wrote, all of them. Throws PEG_INVALID_ARGUMENTS with what it has to mend. */
export function readArguments(text: string): JsonObject {
  if (text.trim() === '') return {};
  const value = parse(text);
  // Some models write their JSON twice over.
  const args = typeof value === 'string' ? parse(value) : value;
  if (args === null) return {};
  if (typeof args === 'object' && !Array.isArray(args)) return args as JsonObject;
  throw unreadable(`they are ${Array.isArray(args) ? 'an array' : `a ${typeof args}`}`);
}

/** Of two equal keys JSON.parse takes the last. */
function parse(text: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw unreadable(messageOf(cause));
  }
  const twice = repeatedKey(text);
  if (twice !== undefined) throw incomplete(`"${twice.slice(0, 80)}" is given twice`);
  return value;
}

/** `why` may quote the arguments; left out where they may hold a secret. */
export function unreadable(why?: string): PegboardError {
  return new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `The arguments are no JSON object${why === undefined ? '' : `: ${why}`}. Nothing was run. Send the call again with the arguments as one complete JSON object.`,
  );
}

/** For a call that can't be read wholly: what would be left out may be what it was meant to be limited by. */
export function incomplete(why: string): PegboardError {
  return new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `Nothing was run, because the call can't be read wholly: ${why}. Send the call again with everything for the tool in one JSON object of arguments.`,
  );
}
