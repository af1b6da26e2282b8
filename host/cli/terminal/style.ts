import { WriteStream } from 'node:tty';
import type { styleText } from 'node:util';
import type { HostConfig } from '../../config.ts';
import { inOwnColours } from './own-colours.ts';

type Paint = (text: string) => string;

/** Colours by meaning. */
export interface Style {
  readonly title: Paint;
  readonly name: Paint;
  readonly quiet: Paint;
  readonly good: Paint;
  readonly warning: Paint;
  readonly bad: Paint;
}

/** More styles for running text. */
export interface ProseStyle extends Style {
  readonly heading: Paint;
  readonly emphasis: Paint;
  readonly struck: Paint;
  readonly link: Paint;
  readonly code: Paint;
  /** In code. */
  readonly keyword: Paint;
  readonly string: Paint;
  readonly number: Paint;
  readonly type: Paint;
  readonly property: Paint;
}

/** For a light or a dark background, as the terminal has one, or without colours. */
export type Theme = HostConfig['theme'];

type Formats = { readonly [name in keyof ProseStyle]: Parameters<typeof styleText>[0] };

/** Only the colours that each terminal maps to shades of its own. */
const dark: Formats = {
  title: 'bold',
  name: 'cyan',
  quiet: 'dim',
  good: 'green',
  warning: 'yellow',
  bad: ['bold', 'red'],
  heading: ['bold', 'cyan'],
  emphasis: 'italic',
  struck: 'strikethrough',
  link: 'underline',
  code: 'yellow',
  keyword: 'magenta',
  string: 'green',
  number: 'yellow',
  type: 'cyan',
  property: 'blue',
};

/** Yellow and cyan are hard to read on white. */
const light: Formats = {
  ...dark,
  name: 'blue',
  warning: 'magenta',
  heading: ['bold', 'blue'],
  code: 'magenta',
  number: 'red',
  type: 'blue',
};

/**
 * Colours only on a terminal; NO_COLOR and FORCE_COLOR are respected, as by Node. `theme` is asked for each text,
 * since a home's settings are read later than the first words are written.
 */
export function createStyle(
  stream: NodeJS.WriteStream,
  env: Readonly<NodeJS.ProcessEnv>,
  theme: () => Theme,
): ProseStyle {
  const paint =
    (name: keyof ProseStyle): Paint =>
    (text) => {
      const formats = formatsOf(theme(), env);
      if (text === '' || !formats) return text;
      return inOwnColours(showsColours(stream, env) ? formats[name] : undefined, text);
    };
  const names = Object.keys(dark) as (keyof ProseStyle)[];
  return Object.fromEntries(names.map((name) => [name, paint(name)])) as unknown as ProseStyle;
}

/** As Node decides for its own process: its bits of colour are at least those of eight colours. */
const showsColours = (stream: NodeJS.WriteStream, env: Readonly<NodeJS.ProcessEnv>): boolean =>
  env['FORCE_COLOR'] === undefined
    ? stream.isTTY && (stream.getColorDepth?.(env) ?? 4) > 2
    : WriteStream.prototype.getColorDepth(env) > 2;

function formatsOf(theme: Theme, env: Readonly<NodeJS.ProcessEnv>): Formats | undefined {
  if (theme === 'none') return undefined;
  const isLight = theme === 'auto' ? hasLightBackground(env['COLORFGBG']) : theme === 'light';
  return isLight ? light : dark;
}

/** `COLORFGBG` of many terminals ends with the number of the background's colour: "0;15". 7 and 15 are white. */
const hasLightBackground = (colours: string | undefined): boolean => /;(?:7|15)$/.test(colours ?? '');
