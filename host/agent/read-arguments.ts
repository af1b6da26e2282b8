import type { JsonObject } from '../api/result.ts';
import { parseJson } from '../core/documents/written-numbers.ts';
import { messageOf, PegboardError } from '../core/errors.ts';
import { asSentence } from '../core/text/as-sentence.ts';

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** Parses the arguments that a model wrote. Throws PEG_INVALID_ARGUMENTS, saying what to fix, rather than dropping any. */
export function readArguments(text: string): JsonObject {
  if (text.trim() === '') return {};
  const value = parse(text);
  // Some models encode their JSON twice.
  const args = typeof value === 'string' ? parse(value) : value;
  if (args === null) return {};
  if (typeof args === 'object' && !Array.isArray(args)) return args as JsonObject;
  throw unreadable(`they are ${Array.isArray(args) ? 'an array' : `a ${typeof args}`}`);
}

/** Rejects repeated keys, of which JSON.parse keeps the last. */
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

/** `why` may quote the arguments; omit it when they may hold a secret. */
export function unreadable(why?: string): PegboardError {
  return new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `The arguments are not a JSON object${why === undefined ? '' : `: ${why}`}. Nothing was run. Send the call again with the arguments as one complete JSON object.`,
  );
}

/** For a call that can't be read completely: the part that is left out may be what limits it. */
export function incomplete(why: string): PegboardError {
  return new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `Nothing was run, because the call can't be read completely: ${asSentence(why)} Send the call again with all of its arguments in one JSON object.`,
  );
}

/** A key that occurs twice in one object of a JSON text; JSON.parse keeps only the last. `text` must be valid JSON. */
function repeatedKey(text: string): string | undefined {
  /** The keys of the open objects, undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (isKey && token.startsWith('"')) {
      const key = token.includes('\\') ? (parseJson(token) as string) : token.slice(1, -1);
      const keys = open.at(-1)!;
      if (keys.has(key)) return key;
      keys.add(key);
    }
    isKey = token === '{' || (token === ',' && open.at(-1) !== undefined);
  }
  return undefined;
}
