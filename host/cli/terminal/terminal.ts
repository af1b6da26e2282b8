import { toJson } from '../../core/documents/written-numbers.ts';
import { visibleJson } from '../../core/foreign/shown-text.ts';
import { createKeyboard, type Keyboard } from './keyboard.ts';
import { shownBetweenColours } from './safe.ts';
import { createStyle, type ProseStyle } from './style.ts';

/** One output stream and what may be done with it. */
export interface Surface {
  readonly stream: NodeJS.WriteStream;
  readonly isTerminal: boolean;
  /** Columns; unlimited where nobody looks, so that a pipe gets whole lines. */
  readonly width: number;
  /** Columns for sentences: lines that are longer are hard to read. */
  readonly proseWidth: number;
  readonly style: ProseStyle;
  /** As it is: only what is harmless on a terminal, or goes to a program. */
  write(text: string): void;
  /** Whatever got into the text that can't be seen is spelled out, also where nobody thought of it; colours stay. */
  line(text?: string): void;
}

export interface Terminal {
  /** Results. With --json exactly one document. */
  readonly out: Surface;
  /** Everything else: errors, progress, questions. */
  readonly err: Surface;
  /** Is a person there to answer? */
  readonly interactive: boolean;
  /** To be used only where `interactive`. */
  readonly keyboard: Keyboard;
  json(value: unknown): void;
  /** Without what `keepOut` takes out. */
  redact(text: string): string;
  /** Whatever is written from now on goes through this. */
  keepOut(redact: (text: string) => string): void;
}

export function createTerminal(): Terminal {
  let redact = (text: string): string => text;
  const out = createSurface(process.stdout, (text) => redact(text));
  const err = createSurface(process.stderr, (text) => redact(text));
  return {
    out,
    err,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    keyboard: createKeyboard(err),
    json: (value) => out.write(`${visibleJson(toJson(value, 2))}\n`),
    redact: (text) => redact(text),
    keepOut: (next) => void (redact = next),
  };
}

const maxLineWidth = 110;

function createSurface(stream: NodeJS.WriteStream, redact: (text: string) => string): Surface {
  const width = (): number => (stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY);
  const write = (text: string): void => void stream.write(redact(text));
  return {
    stream,
    isTerminal: stream.isTTY,
    get width() {
      return width();
    },
    get proseWidth() {
      return stream.isTTY ? Math.min(width(), maxLineWidth) : width();
    },
    style: createStyle(stream),
    write,
    line: (text = '') => write(`${shownBetweenColours(text)}\n`),
  };
}
