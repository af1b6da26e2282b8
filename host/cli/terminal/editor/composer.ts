import { chordOf, type Key } from '../keyboard.ts';
import { applyCompletion, type Complete } from './completion.ts';
import { bufferOf, edit, emptyBuffer, insert, moveLine, type LineBuffer } from './draft.ts';
import { createRecall } from './recall.ts';

/** The effect of a key. */
type Pressed = 'edited' | 'sent' | 'ended' | 'interrupted';

/** What pastes become in the message. */
export interface Pastes {
  /** Undefined: it stays as it is. `before`: the message up to the cursor. */
  readonly text: (pasted: string, before: string) => string | undefined;
  /** The picture in the clipboard. Undefined: there is none. Must not reject. */
  readonly picture: () => Promise<string | undefined>;
}

/** Tells when `picture` has ended. */
interface ComposerPastes extends Pastes {
  readonly onPicture: () => void;
}

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
  /** A completion or a picture is awaited: keys that come now are meant for the completed line. */
  readonly completing: boolean;
  press(key: Key): Pressed;
  /** Returns the message and starts the next one. */
  take(): string;
  help(helps: Helps | undefined): void;
}

const noRecall = createRecall([]);

interface Paste {
  afterReturn: boolean;
  /** The message before it. */
  readonly start: LineBuffer;
}

/** Without `pastes` they stay as they are. */
export function createComposer(pastes?: ComposerPastes): Composer {
  let draft = emptyBuffer;
  let choices: readonly string[] = [];
  let helps: Helps | undefined;
  let recall = noRecall;
  let completing = false;
  /** Within a paste nothing is a command, not even Enter. */
  let pasting: Paste | undefined;

  const change = (next: LineBuffer | undefined): Pressed => {
    draft = next ?? draft;
    return 'edited';
  };
  const paste = (paste: Paste, { name, text }: Key): Pressed => {
    // "\r\n" is one line break.
    const twice = paste.afterReturn && name === 'enter';
    paste.afterReturn = name === 'return';
    if (name === 'paste-end') return endPaste(paste);
    const written = twice ? '' : (pastedKeys[name ?? ''] ?? text ?? '');
    return change(insert(draft, written));
  };
  const endPaste = ({ start }: Paste): Pressed => {
    pasting = undefined;
    const pasted = draft.text.slice(start.cursor, draft.cursor);
    const written = pastes?.text(pasted, start.text.slice(0, start.cursor));
    return change(written === undefined ? undefined : insert(start, written));
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
  const pastePicture = async ({ picture, onPicture }: ComposerPastes): Promise<void> => {
    completing = true;
    const written = await picture();
    completing = false;
    if (written !== undefined) draft = insert(draft, written);
    onPicture();
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
    'ctrl-v'() {
      if (pastes) void pastePicture(pastes);
      return 'edited';
    },
    'paste-start'() {
      pasting = { afterReturn: false, start: draft };
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
