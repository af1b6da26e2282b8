import type { ScreenLink } from '../screens/wire.ts';
import { reading } from './live/reading.ts';

/** The screens that plugins declare. */
export const links = reading<{ readonly screens: readonly ScreenLink[] }>('screens');

type Place = Pick<ScreenLink, 'plugin' | 'screen'>;

/** The address of such a screen, and of a row in it. */
export const screenPath = ({ plugin, screen }: Place, row?: string): string =>
  `/${['plugins', plugin, screen, ...(row === undefined ? [] : [row])].map(encodeURIComponent).join('/')}`;

/** The path of a request about such a screen. */
export const apiPath = (what: string, { plugin, screen }: Place, ...rest: readonly string[]): string =>
  [what, plugin, screen, ...rest].map(encodeURIComponent).join('/');
