import { emitKeypressEvents } from 'node:readline';
import { Readable } from 'node:stream';
import type { CliSurroundings } from '../surroundings.ts';
import { createAnswerReader, type TerminalAnswers, type Topic } from './answers.ts';

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

interface KeyListener {
  /** `elsewhere`: a form is open; it gets the key too, and the key is meant for it. */
  key(key: Key, elsewhere: boolean): void;
  /** Nothing more will come: the terminal is gone. */
  end(): void;
}

/**
 * The one reader of stdin, which must be a terminal. It reads while somebody listens or a form is open, so that
 * no form has to take the terminal over from an editor or give it back.
 */
export interface Keyboard {
  /** Until disposed, every key goes to `listener`. There is one at a time. */
  listen(listener: KeyListener): Disposable;
  /**
   * Until disposed, `input` emits `keypress` for every key, and Ctrl-C instead of Ctrl-D: both cancel. `ended` aborts when
   * nothing more will come, and is aborted at once where the terminal has ended before.
   */
  openForm(): Disposable & { readonly input: Readable; readonly ended: AbortSignal };
  /**
   * Asks the terminal about itself; `answers` gets what it says. Use only while somebody listens, so that keys that come
   * before the answer reach them. Many terminals don't answer.
   */
  ask(topics: readonly Topic[]): void;
  /**
   * Resolves when no key was pressed for a moment, so that a key that was meant for something else doesn't answer a question.
   * What was typed before anybody listened is dropped. Rejects with the reason of `signal`.
   */
  untilIdle(signal: AbortSignal): Promise<void>;
  /** Turns raw mode on again after something else has read from the terminal. */
  restore(): void;
}

/** How long no key was pressed before a question is shown. */
export const idleMs = 400;
/** Within which what was typed before arrives. */
const arrivalMs = 100;

const pasteOn = '\x1b[?2004h';
const pasteOff = '\x1b[?2004l';

/** A key as Node's readline reports it. */
export interface RawKey {
  readonly sequence?: string;
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/** A key with the text that it writes. */
type Keypress = readonly [text: string | undefined, raw: RawKey];

const ctrlC = { sequence: '\x03', name: 'c', ctrl: true, meta: false, shift: false } as const;

export function createKeyboard(
  surroundings: Pick<CliSurroundings, 'stdin' | 'signals' | 'clock'>,
  err: { write(text: string): void },
  answers: TerminalAnswers,
): Keyboard {
  const { stdin, signals, clock } = surroundings;
  const forms: { readonly input: Readable; readonly ended: AbortController }[] = [];
  let listener: KeyListener | undefined;
  let waiting = 0;
  let pressedAt = Number.NEGATIVE_INFINITY;
  const reader = createAnswerReader<Keypress>(answers);

  const press = ([text, raw]: Keypress): void => {
    const form = forms.at(-1)?.input;
    const key = toKey(text, raw);
    if (!listener && !form && chordOf(key) === 'ctrl-c') signals.emit('SIGINT');
    listener?.key(key, form !== undefined);
    if (form && chordOf(key) === 'ctrl-d') form.emit('keypress', ctrlC.sequence, ctrlC);
    else form?.emit('keypress', text, raw);
  };
  const handlers = {
    keypress(text: string | undefined, raw: RawKey) {
      pressedAt = clock.monotonic();
      for (const key of reader.keys([text, raw], raw.sequence ?? '')) press(key);
    },
    end() {
      listener?.end();
      for (const { ended } of forms) ended.abort();
    },
  };
  const reading = createReading(handlers, err, surroundings);
  const openOrClose = (): void => {
    const isWanted = listener !== undefined || forms.length > 0 || waiting > 0;
    if (isWanted && !reading.isOpen) reading.open();
    if (!isWanted && reading.isOpen) reading.close();
  };

  return {
    listen(wanted) {
      listener = wanted;
      openOrClose();
      return {
        [Symbol.dispose]() {
          listener = undefined;
          openOrClose();
        },
      };
    },
    openForm() {
      const form = { input: new Readable({ read() {} }), ended: new AbortController() };
      const { input, ended } = form;
      // An ended stream never says so again.
      if (stdin.readableEnded || stdin.destroyed) {
        ended.abort();
        return { input, ended: ended.signal, [Symbol.dispose]() {} };
      }
      forms.push(form);
      openOrClose();
      return {
        input,
        ended: ended.signal,
        [Symbol.dispose]() {
          forms.splice(forms.indexOf(form), 1);
          openOrClose();
        },
      };
    },
    ask(topics) {
      err.write(reader.ask(topics));
    },
    async untilIdle(signal) {
      const pause = async (ms: number): Promise<void> => {
        await clock.sleep(ms, signal);
        signal.throwIfAborted();
      };
      const wasOpen = reading.isOpen;
      // The key that has answered the question before is no reason to wait.
      const since = wasOpen ? Number.NEGATIVE_INFINITY : clock.monotonic();
      waiting++;
      if (!stdin.readableEnded && !stdin.destroyed) openOrClose();
      try {
        if (!wasOpen) await pause(arrivalMs);
        for (;;) {
          const wait = pressedAt + idleMs - clock.monotonic();
          if (wait <= 0 || pressedAt < since) return;
          await pause(wait);
        }
      } finally {
        waiting--;
        openOrClose();
      }
    },
    restore() {
      if (reading.isOpen) reading.take();
    },
  };
}

interface StdinHandlers {
  keypress(text: string | undefined, raw: RawKey): void;
  end(): void;
}

/** Reads keys from stdin in raw mode, from `open` to `close`. */
function createReading(
  handlers: StdinHandlers,
  err: { write(text: string): void },
  { stdin, signals }: Pick<CliSurroundings, 'stdin' | 'signals'>,
) {
  let isOpen = false;
  const leave = (): void => err.write(pasteOff);
  const take = (): void => {
    setRawMode(stdin, true);
    err.write(pasteOn);
    stdin.resume();
  };
  return {
    get isOpen() {
      return isOpen;
    },
    /** Turns raw mode on, also again. */
    take,
    open() {
      isOpen = true;
      emitKeypressEvents(stdin);
      for (const [name, handler] of Object.entries(handlers)) stdin.on(name, handler);
      signals.on('exit', leave);
      take();
    },
    close() {
      isOpen = false;
      for (const [name, handler] of Object.entries(handlers)) stdin.off(name, handler);
      signals.off('exit', leave);
      leave();
      setRawMode(stdin, false);
      stdin.pause();
    },
  };
}

/** A terminal that was closed has no mode any more: what was asked there is ended by its end. */
function setRawMode(stdin: CliSurroundings['stdin'], isRaw: boolean): void {
  try {
    stdin.setRawMode(isRaw);
  } catch (cause) {
    if (!['EIO', 'ENOTTY', 'EBADF'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
}

function toKey(text: string | undefined, { name, ctrl = false, meta = false, shift = false }: RawKey): Key {
  const writes = text !== undefined && !ctrl && !meta && !/[\x00-\x1f\x7f]/.test(text);
  return { ctrl, meta, shift, ...(name !== undefined && { name }), ...(writes && { text }) };
}
