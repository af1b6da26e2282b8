import type { SelectPrompt } from '@clack/core';
import { toTerminal } from './own-colours.ts';
import { shownBetweenColours } from './safe.ts';
import { showForm, type Clack, type FormPlace } from './show-form.ts';
import type { Style } from './style.ts';

export interface MenuItem<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
  /** The letter or digit that selects it at once. */
  readonly key?: string;
}

/**
 * One of `choices`: by its key, or with the arrows and Enter. Enter alone selects the one at `start`, by default the last,
 * which must be the one that allows nothing. Pasted text selects none. Undefined when cancelled.
 */
export async function choose<T>(
  message: string,
  choices: readonly MenuItem<T>[],
  place: FormPlace,
  start = choices.length - 1,
): Promise<MenuItem<T> | undefined> {
  const { stream: output, style } = place.terminal.err;
  const picked = await showForm(place, async (clack, streams) => {
    const core = await import('@clack/core');
    const prompt = new core.SelectPrompt({
      ...streams,
      options: choices.map((_, value) => ({ value })),
      initialValue: start,
      render() {
        return draw(message, choices, this, { clack, core, output, style });
      },
    });
    let pasting = false;
    prompt.on('key', (text, { name }) => {
      if (name === 'paste-start' || name === 'paste-end') pasting = name === 'paste-start';
      const at = choices.findIndex(({ key }) => key !== undefined && key === text?.toLowerCase());
      if (at < 0 || pasting) return;
      prompt.cursor = at;
      prompt.value = at;
      prompt.state = 'submit';
    });
    return prompt.prompt();
  });
  return picked === undefined ? undefined : choices[picked];
}

interface Drawing {
  readonly clack: Clack;
  readonly core: typeof import('@clack/core');
  readonly output: NodeJS.WriteStream;
  readonly style: Style;
}

/** Looks like clack's own `select`, which has no keys. */
function draw(
  message: string,
  choices: readonly MenuItem<unknown>[],
  { state, cursor }: Pick<SelectPrompt<{ value: number }>, 'state' | 'cursor'>,
  { clack, core, output, style }: Drawing,
): string {
  const bar = `${clack.symbolBar(state)}  `;
  const shown = toTerminal(shownBetweenColours(message));
  const head = core.wrapTextWithPrefix(output, shown, bar, `${clack.symbol(state)}  `).split('\n');
  if (state === 'submit' || state === 'cancel')
    return [...head, `${bar}${toTerminal(style.quiet(choices[cursor]!.label))}`].join('\n');
  const lines = clack.limitOptions({
    output,
    cursor,
    options: choices,
    columnPadding: 3,
    rowPadding: head.length + 2,
    style: drawChoice(clack, style),
  });
  const footer = `${toTerminal(style.name(clack.S_BAR_END))}\n`;
  return [...head, ...lines.map((line) => `${bar}${line}`), footer].join('\n');
}

const drawChoice =
  ({ S_RADIO_ACTIVE, S_RADIO_INACTIVE }: Clack, style: Style) =>
  ({ label, hint, key }: MenuItem<unknown>, isActive: boolean): string => {
    const mark = isActive ? style.good(S_RADIO_ACTIVE) : style.quiet(S_RADIO_INACTIVE);
    const notes = [key, hint].filter((note) => note !== undefined).map((note) => style.quiet(` (${note})`));
    const text = isActive ? label : style.quiet(label);
    return toTerminal(shownBetweenColours(`${mark} ${text}${notes.join('')}`));
  };
