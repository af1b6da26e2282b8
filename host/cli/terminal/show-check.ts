import type { Check } from '../../api/diagnostic.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import type { Surface } from './terminal.ts';
import { widthOf, wrap } from './width.ts';

/** A line with a mark, wrapped, and how to fix it below. `left`: columns for the names. */
export function showCheck(surface: Surface, { name, status, message, fix }: Check, left: number): void {
  const { style } = surface;
  const marks = { ok: style.good('✓'), warning: style.warning('!'), failed: style.bad('✗') };
  const title = shownLine(name);
  const [first = '', ...others] = wrap(shownLine(message), surface.proseWidth - left - 4);
  const space = ' '.repeat(Math.max(0, left - widthOf(title)));
  surface.line(`${marks[status]} ${style.title(title)}${space}  ${first}`);
  for (const line of others) surface.line(`${' '.repeat(left + 4)}${line}`);
  if (fix !== undefined) surface.line(`${' '.repeat(left + 4)}${style.name(`→ ${shownLine(fix)}`)}`);
}
