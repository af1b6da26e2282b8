import { styleText } from 'node:util';

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

/** Colours only on a terminal; NO_COLOR and FORCE_COLOR are respected (by Node's styleText). */
export function createStyle(stream: NodeJS.WriteStream): ProseStyle {
  const paint =
    (format: Parameters<typeof styleText>[0]): Paint =>
    (text) =>
      text === '' ? text : styleText(format, text, { stream });
  return {
    title: paint('bold'),
    heading: paint(['bold', 'cyan']),
    name: paint('cyan'),
    quiet: paint('dim'),
    good: paint('green'),
    warning: paint('yellow'),
    bad: paint(['bold', 'red']),
    emphasis: paint('italic'),
    struck: paint('strikethrough'),
    link: paint('underline'),
    code: paint('yellow'),
    keyword: paint('magenta'),
    string: paint('green'),
    number: paint('yellow'),
    type: paint('cyan'),
    property: paint('blue'),
  };
}
