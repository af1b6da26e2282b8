import { listChoices, type Complete } from '../terminal/editor/completion.ts';
import { createComposer, type Pastes } from '../terminal/editor/composer.ts';
import { bufferOf } from '../terminal/editor/draft.ts';
import { layOutBuffer } from '../terminal/editor/layout.ts';
import { chordOf, type Key } from '../terminal/keyboard.ts';
import type { LiveRegion, StayingLine } from '../terminal/live-region.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface InputRequest {
  /** Before the first line. */
  readonly prompt: string;
  /** Newest first. */
  readonly history: readonly string[];
  readonly complete: Complete;
  /** Also of what is typed ahead of the next one. Absent: pastes stay as they are. */
  readonly pastes?: Pastes | undefined;
}

/** What a person types. Keys are kept from the first to the last, also while nobody reads a message. */
export interface Input extends Disposable {
  /** The next message, which may have several lines; undefined when the person has left. */
  next(request: InputRequest): Promise<string | undefined>;
  /** What was typed since the last message, as lines to show below a running turn. */
  typedAhead(width: number): readonly string[];
  /**
   * Set while a turn runs that shows what is typed ahead. Ctrl-C stops that turn together with its questions, and so does
   * Escape while there is none.
   */
  onTypedAhead: (() => void) | undefined;
  /** Writes lines that stay, above what is being typed. */
  print(lines: readonly StayingLine[]): void;
  /** By Ctrl-C, twice. */
  readonly hasLeft: boolean;
}

/** Two presses of Ctrl-C within this time leave. */
const twiceMs = 1000;
/** Lines of a message that are shown once it is sent. */
const maxEchoedLines = 12;
const maxChoiceRows = 6;
const maxAheadRows = 3;

export const openInput = (terminal: Terminal, region: LiveRegion, signal: AbortSignal): Input =>
  new TerminalInput(terminal, region, signal);

class TerminalInput implements Input {
  readonly #terminal: Terminal;
  readonly #region: LiveRegion;
  readonly #signal: AbortSignal;
  readonly #composer = createComposer({
    text: (pasted, before) => this.#pastes?.text(pasted, before),
    picture: async () => await this.#pastes?.picture(),
    onPicture: () => this.#releaseKeys(),
  });
  /** Messages that were sent before anybody read them. */
  readonly #sent: string[] = [];
  /** Keys that were pressed while a completion or a picture was awaited. */
  readonly #heldKeys: [Key, boolean][] = [];
  readonly #listening: Disposable;
  #reading: (InputRequest & { readonly done: (line: string | undefined) => void }) | undefined;
  #drawing: NodeJS.Immediate | undefined;
  #pastes: Pastes | undefined;
  #ended = false;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  onTypedAhead: (() => void) | undefined;
  hasLeft = false;

  constructor(terminal: Terminal, region: LiveRegion, signal: AbortSignal) {
    this.#terminal = terminal;
    this.#region = region;
    this.#signal = signal;
    this.#listening = terminal.keyboard.listen({
      key: (key, elsewhere) => this.#press(key, elsewhere),
      end: () => this.#end(),
    });
    terminal.err.stream.on('resize', this.#onResize);
    signal.addEventListener('abort', this.#onAbort);
  }

  async next(request: InputRequest): Promise<string | undefined> {
    if (this.hasLeft || this.#signal.aborted) return undefined;
    const waiting = this.#sent.shift();
    if (waiting !== undefined) {
      this.#region.commit(this.#echo(waiting, request.prompt));
      return waiting;
    }
    if (this.#ended && this.#composer.draft.text === '') return undefined;
    // A command of a plugin may have read from the terminal.
    this.#terminal.keyboard.restore();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#reading = { ...request, done: resolve };
    this.#pastes = request.pastes;
    this.#composer.help({ ...request, onCompleted: () => this.#releaseKeys() });
    this.#drawNow();
    return promise;
  }

  typedAhead(width: number): readonly string[] {
    const { text } = this.#composer.draft;
    const messages = text === '' ? this.#sent : [...this.#sent, text];
    return messages.flatMap((message) => layOutBuffer(bufferOf(message), '› ', width, maxAheadRows).lines);
  }

  print(lines: readonly StayingLine[]): void {
    this.#region.commit(lines);
  }

  [Symbol.dispose](): void {
    clearImmediate(this.#drawing);
    this.#terminal.err.stream.off('resize', this.#onResize);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#listening[Symbol.dispose]();
    this.#region.clear();
  }

  #press(key: Key, elsewhere: boolean): void {
    if (this.#composer.completing) return void this.#heldKeys.push([key, elsewhere]);
    const chord = chordOf(key);
    // A question that is asked meanwhile gets its keys itself, but Ctrl-C is meant for all.
    if (elsewhere) return this.onTypedAhead && chord === 'ctrl-c' ? this.#interrupt() : undefined;
    // At the prompt there is nothing to stop.
    if (key.name === 'escape' && this.onTypedAhead && !this.#reading) return this.#stop();
    if (chord !== 'ctrl-c') this.#interruptedAt = Number.NEGATIVE_INFINITY;
    if (chord === 'ctrl-l' && this.#reading) this.#clearScreen();
    else this.#pressInComposer(key);
    this.#draw();
  }

  #pressInComposer(key: Key): void {
    switch (this.#composer.press(key)) {
      case 'sent':
        return this.#send();
      case 'ended':
        return this.#end();
      case 'interrupted':
        return this.#interrupt();
      case 'edited':
    }
  }

  #releaseKeys(): void {
    this.#draw();
    for (const [key, elsewhere] of this.#heldKeys.splice(0)) this.#press(key, elsewhere);
  }

  #send(): void {
    const line = this.#composer.take();
    if (this.#reading) this.#finish(line);
    else if (line.trim() !== '') this.#sent.push(line);
  }

  #end(): void {
    this.#ended = true;
    this.#finish(undefined);
  }

  #interrupt(): void {
    const now = this.#terminal.surroundings.clock.monotonic();
    const isSecond = now - this.#interruptedAt < twiceMs;
    this.#interruptedAt = now;
    // The second one waits for what the first one stopped to end; a third one doesn't.
    if (!isSecond || this.hasLeft) return this.#stop();
    this.hasLeft = true;
    this.#finish(undefined);
  }

  #stop(): void {
    // As the terminal would have signalled it, but before the question's own answer lets the turn continue.
    if (!this.#reading) return void this.#terminal.surroundings.signals.emit('SIGINT');
    const text = this.#composer.take();
    const hint = this.#terminal.err.style.quiet('Press Ctrl-D, or Ctrl-C twice, to leave.');
    this.#region.commit(text === '' ? [hint] : this.#echo(`${text}^C`, this.#reading.prompt));
  }

  #finish(line: string | undefined): void {
    if (!this.#reading) return;
    const { prompt, done } = this.#reading;
    this.#reading = undefined;
    this.#composer.help(undefined);
    this.#region.clear();
    if (line !== undefined) this.#region.commit(this.#echo(line, prompt));
    done(line);
  }

  #echo(text: string, prompt: string): string[] {
    const { lines } = layOutBuffer(bufferOf(text), prompt, this.#region.width, Number.MAX_SAFE_INTEGER);
    const more = lines.length - maxEchoedLines;
    if (more <= 1) return [...lines];
    return [...lines.slice(0, maxEchoedLines), this.#terminal.err.style.quiet(`  … ${more} more lines`)];
  }

  /** Draws once for all keys that come together, such as those of a paste. */
  #draw(): void {
    this.#drawing ??= setImmediate(() => this.#drawNow());
  }

  #drawNow(): void {
    this.#drawing = undefined;
    if (!this.#reading) return this.onTypedAhead?.();
    const { width, height } = this.#region;
    const { choices, draft } = this.#composer;
    const shown = listChoices(choices, width, maxChoiceRows).map(this.#terminal.err.style.quiet);
    const room = Math.max(1, height - shown.length);
    const { lines, cursor } = layOutBuffer(draft, this.#reading.prompt, width, room);
    this.#region.draw([...lines, ...shown], { cursor });
  }

  #clearScreen(): void {
    this.#region.clear();
    this.#terminal.err.write('\x1b[2J\x1b[H');
  }

  readonly #onResize = (): void => {
    if (this.#reading) this.#draw();
  };
  readonly #onAbort = (): void => this.#finish(undefined);
}
