/** Marks of reasoning that some servers leave in the text. */
const marks: readonly (readonly [opening: string, closing: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think', 'mm:think'].map(
    (tag) => [`<${tag}>`, `</${tag}>`] as const,
  ),
  ['[THINK]', '[/THINK]'],
  // Command R, Gemma, Apertus and Kimi.
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel>thought', '<channel|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['◁think▷', '◁/think▷'],
];

export interface ThinkingSplitter {
  /** Takes the next piece of the text, and returns what can be classified by now. */
  add(piece: string): Split;
  /** What was held back. */
  end(): Split;
}
export interface Split {
  readonly text: string;
  readonly thinking: string;
}

/**
 * Separates reasoning from the answer. Reasoning is recognised only at the very start: a tag in the middle of an answer is
 * part of it. Reasoning that is never closed extends to the end.
 */
export function createThinkingSplitter(): ThinkingSplitter {
  let state: 'start' | 'thinking' | 'gap' | 'text' = 'start';
  let held = '';
  let closing = '';

  /** Removes and returns the first `length` characters that are held back. */
  const take = (length: number): string => {
    const taken = held.slice(0, length);
    held = held.slice(length);
    return taken;
  };
  const start = (all: boolean): void => {
    const text = held.trimStart();
    const found = marks.find(([mark]) => text.startsWith(mark));
    if (found) {
      closing = found[1];
      take(held.length - text.length + found[0].length);
      state = 'thinking';
    } else if (all || !mayOpen(text)) state = 'text';
  };
  const think = (all: boolean): string => {
    const end = held.indexOf(closing);
    if (end < 0) return take(all ? held.length : held.length - partialEnd(held, closing));
    const thinking = take(end);
    take(closing.length);
    state = 'gap';
    return thinking;
  };
  const read = (all: boolean): Split => {
    if (state === 'start') start(all);
    const thinking = state === 'thinking' ? think(all) : '';
    // Models separate the answer by empty lines.
    if (state === 'gap' && (held = held.trimStart()) !== '') state = 'text';
    return { text: state === 'text' ? take(held.length) : '', thinking };
  };
  return {
    add(piece) {
      held += piece;
      return read(false);
    },
    end: () => read(true),
  };
}

const mayOpen = (text: string): boolean => marks.some(([mark]) => mark.startsWith(text));

/** The number of characters at the end that could begin `marker`. */
function partialEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

/**
 * Splits a reply whose opening tag was in the prompt: it begins with reasoning and has only a closing tag. Undefined for
 * any other reply.
 */
export function splitUnopened(text: string): Split | undefined {
  const found =
    /^([\s\S]*?)(?:<\/(?:seed:|mm:)?think(?:ing)?>|<\|END_THINKING\|>|<\|inner_suffix\|>|◁\/think▷)\s*/.exec(
      text,
    );
  if (
    !found ||
    /<(?:seed:|mm:)?think(?:ing)?>|<\|START_THINKING\|>|<\|inner_prefix\|>|```|`$/.test(found[1]!)
  )
    return undefined;
  return { thinking: found[1]!, text: text.slice(found[0].length) };
}
