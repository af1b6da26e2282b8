import { shortTime } from '../../terminal/figures.ts';
import type { LiveRegion, StayingLine } from '../../terminal/live-region.ts';
import { createMarkdownStream } from '../../terminal/markdown/stream.ts';
import { frames } from '../../terminal/progress.ts';
import { oneLine } from '../../terminal/safe.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { truncate, widthOf } from '../../terminal/width.ts';
import type { Input } from '../input.ts';
import { renderCall } from './call-line.ts';

/** The part of `Input` that a turn needs while it runs. */
export type TypedAhead = Pick<Input, 'typedAhead' | 'onTypedAhead' | 'hasLeft'>;

export interface RunningCall {
  readonly tool: string;
  readonly args: unknown;
  readonly startedAt: number;
  /** The last progress that it reported. */
  note: string;
}

/** Lines of different kinds are separated by an empty line. */
export type LineKind = 'text' | 'call' | 'note';

const frameMs = 100;
/** Text that comes within this time is drawn together. */
const drawMs = 33;
/** Lines longer than this are hard to read. */
const maxWidth = 100;

/**
 * What a turn shows. Finished lines stay on the screen; below them `region` shows the text that is still being written, the
 * tools that run, a status line, and what is typed ahead.
 */
export class TurnScreen implements Disposable {
  readonly stream;
  readonly running = new Map<string, RunningCall>();
  /** The end of what the model thinks. */
  thoughts = '';
  readonly startedAt = performance.now();
  readonly #terminal: Terminal;
  readonly #region: LiveRegion;
  readonly #input: TypedAhead;
  readonly #finished: StayingLine[] = [];
  readonly #timer: NodeJS.Timeout;
  #last: LineKind | undefined;
  #isHidden = false;
  #drawing: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal, region: LiveRegion, input: TypedAhead) {
    this.#terminal = terminal;
    this.#region = region;
    this.#input = input;
    this.stream = createMarkdownStream(() => ({
      style: terminal.err.style,
      width: Math.min(region.width, maxWidth),
    }));
    this.#timer = setInterval(() => this.draw(), frameMs);
    input.onTypedAhead = () => this.drawSoon();
    this.draw();
  }

  get width(): number {
    return this.#region.width;
  }

  /** Adds lines that stay. They appear with the next drawing, together with what they replace. */
  add(kind: LineKind, lines: readonly StayingLine[]): void {
    if (lines.length === 0) return;
    this.#finished.push(...this.#separated(kind, lines));
    this.#last = kind;
  }

  /** The answer goes to stdout at the end where that is no terminal. */
  addText(lines: readonly string[]): void {
    if (this.#terminal.out.isTerminal) this.add('text', lines);
  }

  draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    if (this.#isHidden) return;
    this.addText(this.stream.finished());
    const { style } = this.#terminal.err;
    const text = this.#terminal.out.isTerminal ? this.stream.unfinished() : [];
    const calls = [...this.running.values()].map((call) => this.#drawCall(call));
    const typed = this.#input.typedAhead(this.width).map(style.quiet);
    const status = calls.length > 0 ? [this.#drawStatus()] : ['', this.#drawStatus()];
    this.#region.draw(
      [
        ...this.#separated('text', text),
        ...this.#separated('call', calls),
        ...status,
        ...(typed.length === 0 ? [] : ['', ...typed]),
      ],
      { above: this.#finished.splice(0) },
    );
  }

  drawSoon(): void {
    this.#drawing ??= setTimeout(() => this.draw(), drawMs);
  }

  /** Leaves the terminal to a question, until `show`. */
  hide(): void {
    this.#isHidden = true;
    this.#region.draw([], { above: [...this.#finished.splice(0), ''] });
    this.#region.clear();
  }

  show(): void {
    this.#isHidden = false;
    this.#last = 'note';
    this.draw();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    clearTimeout(this.#drawing);
    this.#input.onTypedAhead = undefined;
    this.addText(this.stream.end());
    this.#region.draw([], { above: this.#finished.splice(0) });
    this.#region.clear();
  }

  #separated<Line extends StayingLine>(kind: LineKind, lines: readonly Line[]): readonly (Line | '')[] {
    return lines.length === 0 || this.#last === kind ? lines : ['', ...lines];
  }

  #spinner(): string {
    const frame = Math.floor((performance.now() - this.startedAt) / frameMs) % frames.length;
    return this.#terminal.err.style.name(frames[frame]!);
  }

  #drawCall({ tool, args, note, startedAt }: RunningCall): string {
    const ms = performance.now() - startedAt;
    return renderCall({ mark: this.#spinner(), tool, args, note, ms }, this.width, this.#terminal.err.style);
  }

  #drawStatus(): string {
    const { style } = this.#terminal.err;
    const time = shortTime(performance.now() - this.startedAt);
    const mark = this.running.size > 0 ? ' ' : this.#spinner();
    const head = `${time} · ${this.#input.hasLeft ? 'leaving' : 'Ctrl-C stops'}`;
    const room = Math.max(0, this.width - widthOf(head) - 6);
    const thought = truncate(lastThought(this.thoughts), room);
    return `${mark} ${style.quiet(head)}${thought === '' ? '' : style.quiet(style.emphasis(` · ${thought}`))}`;
  }
}

/** The line that the model's thinking has reached. */
function lastThought(thoughts: string): string {
  const lines = thoughts.split('\n').filter((line) => line.trim() !== '');
  return oneLine(lines.at(-1) ?? '');
}
