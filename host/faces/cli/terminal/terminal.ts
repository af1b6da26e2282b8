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
  write(text: string): void;
  line(text?: string): void;
}

export interface Terminal {
  /** Results. With --json exactly one document. */
  readonly out: Surface;
  /** Everything else: errors, progress, questions. */
  readonly err: Surface;
  /** Is a person there to answer? */
  readonly interactive: boolean;
  json(value: unknown): void;
}

export function createTerminal(): Terminal {
  const out = createSurface(process.stdout);
  const err = createSurface(process.stderr);
  return {
    out,
    err,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    json: (value) => out.line(JSON.stringify(value, null, 2)),
  };
}

const longestLine = 110;

function createSurface(stream: NodeJS.WriteStream): Surface {
  const width = (): number => (stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY);
  const write = (text: string): void => void stream.write(text);
  return {
    stream,
    isTerminal: stream.isTTY,
    get width() {
      return width();
    },
    get proseWidth() {
      return stream.isTTY ? Math.min(width(), longestLine) : width();
    },
    style: createStyle(stream),
    write,
    line: (text = '') => write(`${text}\n`),
  };
}
