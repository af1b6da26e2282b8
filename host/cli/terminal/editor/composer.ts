import { chordOf, type Key } from '../keyboard.ts';
import { applyCompletion, type Complete } from './completion.ts';
import { bufferOf, edit, emptyBuffer, insert, moveLine, type LineBuffer } from './draft.ts';
import { createRecall } from './recall.ts';

/** The effect of a key. */
type Pressed = 'edited' | 'sent' | 'ended' | 'interrupted';

/** Completion and history; without them Tab and the arrows do nothing. */
interface Helps {
  /** Earlier messages, newest first. */
  readonly history: readonly string[];
  readonly complete: Complete;
  /** A completion has ended, with or without candidates. */
  readonly onCompleted: () => void;
}

/** Edits a message key by key. */
export interface Composer {
  readonly draft: LineBuffer;
  /** What Tab leaves to choose from, until the next key. */
  readonly choices: readonly string[];
  /** A completion is running: keys that come now are meant for the completed line. */
  readonly completing: boolean;
  press(key: Key): Pressed;
  /** Returns the message and starts the next one. */
  take(): string;
  help(helps: Helps | undefined): void;
}

const noRecall = createRecall([]);

export function createComposer(): Composer {
  let draft = emptyBuffer;
  let choices: readonly string[] = [];
  let helps: Helps | undefined;
  let recall = noRecall;
  let completing = false;
  /** Within a paste nothing is a command, not even Enter. */
  let pasting: { afterReturn: boolean } | undefined;

  const change = (next: LineBuffer | undefined): Pressed => {
    draft = next ?? draft;
    return 'edited';
  };
  const paste = (paste: { afterReturn: boolean }, { name, text }: Key): Pressed => {
    // "\r\n" is one line break.
    const twice = paste.afterReturn && name === 'enter';
    paste.afterReturn = name === 'return';
    if (name === 'paste-end') pasting = undefined;
    const written = twice ? '' : (pastedKeys[name ?? ''] ?? text ?? '');
    return change(insert(draft, written));
  };
  const enter = (): Pressed => {
    const { text, cursor } = draft;
    const goesOn = cursor === text.length && continuesOnNextLine(text);
    return goesOn ? change(bufferOf(`${text.slice(0, -1)}\n`)) : 'sent';
  };
  const complete = async ({ complete: find, onCompleted }: Helps): Promise<void> => {
    completing = true;
    // A completion that fails offers nothing.
    const found = await find(draft.text.slice(0, draft.cursor)).catch(() => undefined);
    completing = false;
    if (found) ({ draft, choices } = applyCompletion(draft, found));
    onCompleted();
  };

  const commands: { readonly [chord: string]: () => Pressed } = {
    'ctrl-c': () => 'interrupted',
    'ctrl-d': () => (draft.text === '' ? 'ended' : change(edit(draft, { ...plainKey, name: 'delete' }))),
    return: enter,
    enter,
    'alt-return': () => change(insert(draft, '\n')),
    'alt-enter': () => change(insert(draft, '\n')),
    up: () => change(moveLine(draft, -1) ?? recall.older(draft)),
    down: () => change(moveLine(draft, 1) ?? recall.newer()),
    'ctrl-p': () => change(recall.older(draft)),
    'ctrl-n': () => change(recall.newer()),
    tab() {
      if (helps) void complete(helps);
      return 'edited';
    },
    'paste-start'() {
      pasting = { afterReturn: false };
      return 'edited';
    },
  };

  return {
    get draft() {
      return draft;
    },
    get choices() {
      return choices;
    },
    get completing() {
      return completing;
    },
    press(key) {
      choices = [];
      if (pasting) return paste(pasting, key);
      return commands[chordOf(key)]?.() ?? change(edit(draft, key));
    },
    take() {
      const { text } = draft;
      draft = emptyBuffer;
      choices = [];
      return text;
    },
    help(wanted) {
      helps = wanted;
      recall = wanted ? createRecall(wanted.history) : noRecall;
    },
  };
}

/** Whether the text ends with an unescaped backslash, so that the message has another line. */
export const continuesOnNextLine = (text: string): boolean => /(?<!\\)(?:\\\\)*\\$/.test(text);

const plainKey: Key = { ctrl: false, meta: false, shift: false };
const pastedKeys: { readonly [name: string]: string } = { return: '\n', enter: '\n', tab: '\t' };
