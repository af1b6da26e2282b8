import { withoutEscapes } from './safe.ts';

/** Removes terminal control sequences from text that comes in pieces, also where a piece ends within one. */
export interface Cleaner {
  clean(piece: string): string;
  /** Returns what was held back, and resets the cleaner. */
  end(): string;
}

/** Longer sequences aren't held back; they are shown as text. */
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
