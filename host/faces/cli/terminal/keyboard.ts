import { emitKeypressEvents } from 'node:readline';
import type { Surface } from './terminal.ts';

/** A key as Node names it; `text` is what it writes, if it writes anything. */
export interface Key {
  readonly name?: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  readonly text?: string;
}

/** "ctrl-alt-left" */
export function chordOf({ ctrl, meta, name = '' }: Key): string {
  return `${ctrl ? 'ctrl-' : ''}${meta ? 'alt-' : ''}${name}`;
}

export interface KeyListener {
  /** `elsewhere`: a form reads it too, and it is meant for the form. */
  key(key: Key, elsewhere: boolean): void;
  /** Nothing more will come: the terminal is gone. */
  end(): void;
}

const pasteOn = '\x1b[?2004h';
const pasteOff = '\x1b[?2004l';

interface RawKey {
  readonly sequence?: string;
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/**
 * Hears every key of process.stdin, which must be a terminal, so that none is lost or echoed while nobody reads a line.
 * A form that begins to read gets the keys for itself, and leaves the terminal to the keyboard again when it is done.
 */
export function openKeyboard(err: Surface, listener: KeyListener): Disposable {
  const { stdin } = process;
  let open = true;
  const formReads = (): boolean => stdin.listenerCount('keypress') > 1;
  const take = (): void => {
    stdin.setRawMode(true);
    err.write(pasteOn);
    stdin.resume();
  };
  const handlers = {
    keypress: (text: string | undefined, raw: RawKey) => listener.key(toKey(text, raw), formReads()),
    end: () => listener.end(),
    /** A form pauses the stream when it closes. At once, or what is typed meanwhile goes to nobody. */
    pause: () =>
      process.nextTick(() => {
        if (open && !formReads()) take();
      }),
  };
  const leave = (): void => err.write(pasteOff);
  emitKeypressEvents(stdin);
  for (const [name, handler] of Object.entries(handlers)) stdin.on(name, handler);
  process.on('exit', leave);
  take();
  return {
    [Symbol.dispose]() {
      open = false;
      for (const [name, handler] of Object.entries(handlers)) stdin.off(name, handler);
      process.off('exit', leave);
      leave();
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

function toKey(text: string | undefined, { name, ctrl = false, meta = false, shift = false }: RawKey): Key {
  const writes = text !== undefined && !ctrl && !meta && !/[\x00-\x1f\x7f]/.test(text);
  return { ctrl, meta, shift, ...(name !== undefined && { name }), ...(writes && { text }) };
}
