import type { ModelToolCall } from '../api/model.ts';
import { parseJson, toJson } from '../core/documents/written-numbers.ts';

/** Detects a model that repeats itself. */
export interface RepetitionGuard {
  /** Whether this is the fifth identical call in a row, or the fifth of two alternating calls. */
  isRepeated(call: ModelToolCall): boolean;
}

const maxRepeats = 5;

export function createRepetitionGuard(): RepetitionGuard {
  const last: string[] = [];
  return {
    isRepeated(call) {
      last.push(signatureOf(call));
      if (last.length > maxRepeats) last.shift();
      return (
        last.length === maxRepeats && last.every((signature, at) => at < 2 || signature === last[at - 2])
      );
    },
  };
}

/** Ignores whitespace in the arguments. */
function signatureOf({ name, arguments: args }: ModelToolCall): string {
  try {
    return `${name} ${toJson(parseJson(args))}`;
  } catch {
    return `${name} ${args.trim()}`;
  }
}
