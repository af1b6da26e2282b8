/** Escapes that every version of bash, and its parser here, reads alike. Bash reads `\x{74}` too, which others don't. */
const known = /^\$'(?:[^\\']|\\[abefnrtv\\'"?]|\\x[\da-f]{2}(?![\da-f{])|\\[0-3][0-7]{2})*'$/is;

/** Whether the value of a word such as `$'a\n'` is certain. */
export const isPlainAnsi = (text: string): boolean => known.test(text);
