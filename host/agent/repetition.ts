import type { ModelToolCall } from '../api/model.ts';
import { parseJson, toJson } from '../core/documents/written-numbers.ts';

/** Notices a model that goes round in circles. */
export interface RepetitionGuard {
  /** Is this the fifth of identical calls, or of two in turns? */
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

/** Blanks in the arguments make no difference. */
function signatureOf({ name, arguments: args }: ModelToolCall): string {
  try {
    return `${name} ${toJson(parseJson(args))}`;
  } catch {
    return `${name} ${args.trim()}`;
  }
}
