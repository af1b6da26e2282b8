import { bufferOf, type LineBuffer } from './draft.ts';

/** Earlier lines, brought back one by one: those that begin with what was typed before the first of them. */
export interface Recall {
  /** Undefined when there is none. */
  older(draft: LineBuffer): LineBuffer | undefined;
  newer(): LineBuffer | undefined;
}

/** `lines`: newest first. */
export function createRecall(lines: readonly string[]): Recall {
  let typed: LineBuffer | undefined;
  let at = -1;
  let matching: readonly string[] = [];
  return {
    older(draft) {
      if (typed === undefined) {
        typed = draft;
        matching = [...new Set(lines)].filter((line) => line.startsWith(draft.text) && line !== draft.text);
      }
      if (at + 1 >= matching.length) return undefined;
      return bufferOf(matching[++at]!);
    },
    newer() {
      if (typed === undefined || at < 0) return undefined;
      at--;
      const draft = at < 0 ? typed : bufferOf(matching[at]!);
      if (at < 0) typed = undefined;
      return draft;
    },
  };
}
