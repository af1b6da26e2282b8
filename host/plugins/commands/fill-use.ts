import type { CommandUse } from '../../formats/screens.ts';

/** What placeholders stand for, by name. An absent one leaves out its argument or its option. */
export type Filling = { readonly [name: string]: string | boolean | undefined };

/** "row" for "{row}"; undefined for a fixed text. */
export const placeholderIn = (text: string): string | undefined => /^\{([\w-]+)\}$/.exec(text)?.[1];

/** What a command gets. Nothing but whole arguments and values of options is filled in. */
export function fillUse(
  { words = [], options = {} }: CommandUse,
  filling: Filling,
): { readonly words: readonly string[]; readonly options: { readonly [name: string]: string | true } } {
  const filled = (written: string | true): string | true | undefined => {
    const name = written === true ? undefined : placeholderIn(written);
    if (name === undefined) return written;
    const value = Object.hasOwn(filling, name) ? filling[name] : undefined;
    return value === false ? undefined : value;
  };
  return {
    words: words.flatMap((word) => {
      const value = filled(word);
      return value === undefined ? [] : String(value);
    }),
    options: Object.fromEntries(
      Object.entries(options).flatMap(([name, written]) => {
        const value = filled(written);
        return value === undefined ? [] : [[name, value] as const];
      }),
    ),
  };
}
