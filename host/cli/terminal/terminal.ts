import { toJson } from '../../core/documents/written-numbers.ts';
import { visibleJson } from '../../core/foreign/shown-text.ts';
import type { CliSurroundings } from '../surroundings.ts';
import type { TerminalAnswers } from './answers.ts';
import { createKeyboard, type Keyboard } from './keyboard.ts';
import { toTerminal } from './own-colours.ts';
import { shownBetweenColours } from './safe.ts';
import { createStyle, type ProseStyle, type Theme } from './style.ts';

/** One output stream and what may be done with it. */
export interface Surface {
  readonly stream: NodeJS.WriteStream;
  /** Variables that say what the terminal can do. */
  readonly env: CliSurroundings['env'];
  readonly isTerminal: boolean;
  /** In columns; unlimited where it is no terminal, so that a pipe gets whole lines. */
  readonly width: number;
  /** The width for sentences, in columns: longer lines are hard to read. */
  readonly proseWidth: number;
  readonly style: ProseStyle;
  /** What the terminal has said of itself so far. */
  readonly answers: Readonly<TerminalAnswers>;
  /** Writes the text as it is: it must be harmless on a terminal, or go to a program. */
  write(text: string): void;
  /** Writes a line. Invisible characters in it are spelled out; only colours of `style` stay. */
  line(text?: string): void;
}

export interface Terminal {
  /** Results. With --json exactly one document. */
  readonly out: Surface;
  /** Everything else: errors, progress, questions. */
  readonly err: Surface;
  readonly surroundings: CliSurroundings;
  /** Whether there is a person to answer questions. */
  readonly interactive: boolean;
  /** Use only where `interactive`. */
  readonly keyboard: Keyboard;
  json(value: unknown): void;
  /** The text as filtered by `keepOut`. */
  redact(text: string): string;
  /** Filters everything that is written from now on. */
  keepOut(redact: (text: string) => string): void;
  /** The colours of everything that is written from now on; `auto` until then. `theme` is asked for each text. */
  useTheme(theme: () => Theme): void;
}

export function createTerminal(surroundings: CliSurroundings): Terminal {
  const { stdin, stdout, stderr, env } = surroundings;
  let redact = (text: string): string => text;
  let theme = (): Theme => 'auto';
  const answers: TerminalAnswers = {};
  const filters: SurfaceFilters = {
    env,
    redact: (text) => redact(text),
    theme: () => theme(),
  };
  const out = createSurface(stdout, filters, answers);
  const err = createSurface(stderr, filters, answers);
  return {
    out,
    err,
    surroundings,
    interactive: stdin.isTTY && stderr.isTTY,
    keyboard: createKeyboard(surroundings, err, answers),
    json: (value) => out.write(`${visibleJson(toJson(value, 2))}\n`),
    redact: (text) => redact(text),
    keepOut: (next) => void (redact = next),
    useTheme: (next) => void (theme = next),
  };
}

const maxLineWidth = 110;

interface SurfaceFilters {
  readonly env: CliSurroundings['env'];
  readonly redact: (text: string) => string;
  readonly theme: () => Theme;
}

function createSurface(
  stream: NodeJS.WriteStream,
  { env, redact, theme }: SurfaceFilters,
  answers: Readonly<TerminalAnswers>,
): Surface {
  const width = (): number => (stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY);
  const write = (text: string): void => void stream.write(redact(toTerminal(text)));
  return {
    stream,
    env,
    isTerminal: stream.isTTY,
    get width() {
      return width();
    },
    get proseWidth() {
      return stream.isTTY ? Math.min(width(), maxLineWidth) : width();
    },
    style: createStyle(stream, env, theme),
    answers,
    write,
    line: (text = '') => write(`${shownBetweenColours(text)}\n`),
  };
}
