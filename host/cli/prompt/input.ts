import { setTimeout as delay } from 'node:timers/promises';
import { listChoices, type Complete } from '../terminal/editor/completion.ts';
import { createComposer } from '../terminal/editor/composer.ts';
import { bufferOf } from '../terminal/editor/draft.ts';
import { layOutBuffer } from '../terminal/editor/layout.ts';
import { chordOf, type Key } from '../terminal/keyboard.ts';
import type { LiveRegion } from '../terminal/live-region.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface InputRequest {
  /** Before the first line. */
  readonly prompt: string;
  /** Newest first. */
  readonly history: readonly string[];
  readonly complete: Complete;
}

/** What a person types, kept from the first key to the last: also what comes while nobody reads. */
export interface Input extends Disposable {
  /** The next message, which may have several lines; undefined when the person has left. */
  next(reading: InputRequest): Promise<string | undefined>;
  /** What was typed since the last message, as lines to show below what is going on. */
  ahead(width: number): readonly string[];
  /** Set while something goes on that shows what is typed ahead, and that Ctrl-C stops together with its questions. */
  onAhead: (() => void) | undefined;
  /** When no key has come for a moment: what is about to be asked must not be answered by a key that was meant for a message. */
  still(signal: AbortSignal): Promise<void>;
  /** Lines that stay, above what is being typed. */
  say(lines: readonly string[]): void;
  /** By Ctrl-C, twice. */
  readonly left: boolean;
}

/** Two presses of Ctrl-C within so many milliseconds leave. */
const twiceMs = 1000;
const stillMs = 400;
/** Lines of a message that are shown once it is sent. */
const echoedLines = 12;
const choiceRows = 6;
const aheadRows = 3;

export function openInput(
  { err: surface, keyboard }: Terminal,
  region: LiveRegion,
  signal: AbortSignal,
): Input {
  const { style } = surface;
  const composer = createComposer();
  const sent: string[] = [];
  const held: [Key, boolean][] = [];
  let reading: (InputRequest & { readonly done: (line: string | undefined) => void }) | undefined;
  let onAhead: (() => void) | undefined;
  let ended = false;
  let left = false;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  let pressedAt = Number.NEGATIVE_INFINITY;
  let drawing: NodeJS.Immediate | undefined;

  const drawNow = (): void => {
    drawing = undefined;
    if (!reading) return onAhead?.();
    const { width, height } = region;
    const choices = listChoices(composer.choices, width, choiceRows).map(style.quiet);
    const room = Math.max(1, height - choices.length);
    const { lines, cursor } = layOutBuffer(composer.draft, reading.prompt, width, room);
    region.draw([...lines, ...choices], { cursor });
  };
  /** Once for all keys that come together, as those of a paste do. */
  const draw = (): void => {
    drawing ??= setImmediate(drawNow);
  };

  const show = (text: string, prompt: string): string[] => {
    const { lines } = layOutBuffer(bufferOf(text), prompt, region.width, Number.MAX_SAFE_INTEGER);
    const more = lines.length - echoedLines;
    if (more <= 1) return [...lines];
    return [...lines.slice(0, echoedLines), style.quiet(`  … ${more} more lines`)];
  };
  const finish = (line: string | undefined): void => {
    if (!reading) return;
    const { prompt, done } = reading;
    reading = undefined;
    composer.help(undefined);
    region.clear();
    if (line !== undefined) region.commit(show(line, prompt));
    done(line);
  };
  const send = (): void => {
    const line = composer.take();
    if (reading) finish(line);
    else if (line.trim() !== '') sent.push(line);
  };
  const leave = (): void => {
    ended = true;
    finish(undefined);
  };
  const interrupt = (): void => {
    const now = performance.now();
    const twice = now - interruptedAt < twiceMs;
    interruptedAt = now;
    // What was stopped by the first one is let end by the second; the next doesn't wait for that.
    if (!twice || left) stop();
    else {
      left = true;
      finish(undefined);
    }
  };
  const stop = (): void => {
    // As the terminal would have signalled it, but at once: before the question's own answer sends the turn on.
    if (!reading) return void process.emit('SIGINT');
    const text = composer.take();
    const hint = style.quiet('Ctrl-D leaves, and so does Ctrl-C when it is pressed twice.');
    region.commit(text === '' ? [hint] : show(`${text}^C`, reading.prompt));
  };
  const clearScreen = (): void => {
    region.clear();
    surface.write('\x1b[2J\x1b[H');
  };

  const outcomes = { edited() {}, sent: send, ended: leave, interrupted: interrupt };
  const press = (key: Key, elsewhere: boolean): void => {
    pressedAt = performance.now();
    if (composer.completing) return void held.push([key, elsewhere]);
    const chord = chordOf(key);
    // A question that is asked meanwhile gets its keys itself, but Ctrl-C is meant for all.
    if (elsewhere) return onAhead && chord === 'ctrl-c' ? interrupt() : undefined;
    if (chord !== 'ctrl-c') interruptedAt = Number.NEGATIVE_INFINITY;
    if (chord === 'ctrl-l' && reading) clearScreen();
    else outcomes[composer.press(key)]();
    draw();
  };

  const onCompleted = (): void => {
    draw();
    for (const [key, elsewhere] of held.splice(0)) press(key, elsewhere);
  };
  const onResize = (): void => {
    if (reading) draw();
  };
  const onAbort = (): void => finish(undefined);
  const listening = keyboard.listen({ key: press, end: leave });
  surface.stream.on('resize', onResize);
  signal.addEventListener('abort', onAbort);

  return {
    async next(wanted) {
      if (left || signal.aborted) return undefined;
      const waiting = sent.shift();
      if (waiting !== undefined) {
        region.commit(show(waiting, wanted.prompt));
        return waiting;
      }
      if (ended && composer.draft.text === '') return undefined;
      // A command of a plugin may have read from the terminal itself.
      keyboard.restore();
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      reading = { ...wanted, done: resolve };
      composer.help({ ...wanted, onCompleted });
      drawNow();
      return promise;
    },
    ahead(width) {
      const { text } = composer.draft;
      const messages = text === '' ? sent : [...sent, text];
      return messages.flatMap((message) => layOutBuffer(bufferOf(message), '› ', width, aheadRows).lines);
    },
    get onAhead() {
      return onAhead;
    },
    set onAhead(listener) {
      onAhead = listener;
    },
    async still(until) {
      for (;;) {
        const wait = pressedAt + stillMs - performance.now();
        if (wait <= 0) return;
        await delay(wait, undefined, { signal: until });
      }
    },
    say: (lines) => region.commit(lines),
    get left() {
      return left;
    },
    [Symbol.dispose]() {
      clearImmediate(drawing);
      surface.stream.off('resize', onResize);
      signal.removeEventListener('abort', onAbort);
      listening[Symbol.dispose]();
      region.clear();
    },
  };
}
