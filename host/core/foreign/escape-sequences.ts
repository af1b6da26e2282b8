/**
 * Terminal escape sequences: CSI, strings such as OSC up to their end, and short ones. Of an unterminated string only
 * the beginning counts, so that no text is hidden after it.
 */
const sequences =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])(?:[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C))?|\u001B[ -/]*[0-~]|\u001B/g;
/** Nearly all texts contain none of these. */
const openers = /[\u001B\u0090\u0098\u009B\u009D-\u009F]/;

/** The text without escape sequences. */
export const withoutEscapeSequences = (text: string): string =>
  openers.test(text) ? text.replace(sequences, '') : text;
