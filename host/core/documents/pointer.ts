/** A JSON pointer from its steps: `pointerTo('a', 0)` is "/a/0". */
export const pointerTo = (...path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The steps of a JSON pointer: those of "/a/0" are "a" and "0". */
export const stepsOfPointer = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped);

/** The steps of a reference within the document, such as "#/$defs/login". */
export const stepsOf = (reference: string): readonly string[] =>
  reference
    .slice(2)
    .split('/')
    .map((step) => unescaped(decoded(step)));

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
