import { withoutEscapes } from './safe.ts';

/** Takes out of text that comes in pieces whatever a terminal would obey, also where a piece ends within it. */
export interface Cleaner {
  clean(piece: string): string;
  /** What was held back; the cleaner begins anew. */
  end(): string;
}

/** Longer sequences aren't waited for: what can't be told from text is shown as text. */
const maxSequenceLength = 4096;

export function createCleaner(): Cleaner {
  let held = '';
  return {
    clean(piece) {
      const text = held + piece;
      const cut = openFrom(text);
      held = text.slice(cut);
      return withoutEscapes(text.slice(0, cut));
    },
    end() {
      const rest = withoutEscapes(held);
      held = '';
      return rest;
    },
  };
}

/** Where an escape sequence begins that isn't complete, a "\r" that a "\n" may follow, or half a character. */
function openFrom(text: string): number {
  const open =
    /(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_](?:(?!\x1b\\|\x07)[\s\S])*|[ -/]*)|\r|[\ud800-\udbff])$/.exec(
      text.slice(-maxSequenceLength),
    );
  return open ? text.length - open[0].length : text.length;
}
