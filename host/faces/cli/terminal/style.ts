import { styleText } from 'node:util';

type Paint = (text: string) => string;

/** Colours by what they say, not by what they are. */
export interface Style {
  readonly title: Paint;
  readonly name: Paint;
  readonly quiet: Paint;
  readonly good: Paint;
  readonly warning: Paint;
  readonly bad: Paint;
}

/** Colours only on a terminal; NO_COLOR and FORCE_COLOR are respected (by Node's styleText). */
export function createStyle(stream: NodeJS.WriteStream): Style {
  const paint =
    (format: Parameters<typeof styleText>[0]): Paint =>
    (text) =>
      text === '' ? text : styleText(format, text, { stream });
  return {
    title: paint('bold'),
    name: paint('cyan'),
    quiet: paint('dim'),
    good: paint('green'),
    warning: paint('yellow'),
    bad: paint(['bold', 'red']),
  };
}
