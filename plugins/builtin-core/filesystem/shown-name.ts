/**
 * The name or path of a file on one line of a list: a line end in it would begin a line that looks like another file. What
 * is spelled out, as `\u{a}`, is exact in the structured result.
 */
export const shownName = (name: string): string =>
  name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`);
