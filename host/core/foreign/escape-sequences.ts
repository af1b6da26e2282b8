/**
 * Escape sequences of terminals: CSI, strings such as OSC up to their end, short ones. Of a string that has no end only its
 * beginning counts, so that no text disappears behind it.
 */
const sequences =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])(?:[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C))?|\u001B[ -/]*[0-~]|\u001B/g;
/** Nearly every text has none of these. */
const openers = /[\u001B\u0090\u0098\u009B\u009D-\u009F]/;
const colour = /^\u001B\[[\d;:]*m$/;

/** The text without them; `keepColours` leaves those in that set colours and nothing else. */
export function withoutEscapeSequences(
  text: string,
  { keepColours = false }: { readonly keepColours?: boolean } = {},
): string {
  if (!openers.test(text)) return text;
  return text.replace(sequences, (found) => (keepColours && colour.test(found) ? found : ''));
}
