/** What models that reason put around their thoughts, when the server leaves it in the text. */
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
  /** Takes a piece of the text as it comes, and gives what can be told of it. */
  add(piece: string): Split;
  /** What was held back. */
  end(): Split;
}
export interface Split {
  readonly text: string;
  readonly thinking: string;
}

/**
 * Tells thoughts from the answer. Thoughts count only at the very start: a tag in the middle of an answer is about
 * something else. Thoughts that are never closed are thoughts to the end.
 */
export function createThinkingSplitter(): ThinkingSplitter {
  let state: 'start' | 'thinking' | 'gap' | 'text' = 'start';
  let held = '';
  let closing = '';

  /** The first `length` characters of what is held, which are let go. */
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
    // Models set the answer off by empty lines.
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

/** How many of the last characters could be the beginning of `marker`. */
export function partialEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

/**
 * A reply whose opening tag stood in the prompt begins with thoughts and has only a closing tag. Undefined when this
 * is no such reply.
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
