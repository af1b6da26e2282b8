/** The JSON pointer of a place: `pointerTo('a', 0)` is "/a/0". */
export const pointerTo = (...path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
