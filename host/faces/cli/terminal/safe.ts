/** Escape sequences that set colours; every other one can move the cursor, rename the window or worse. */
const colour = /^\x1b\[[\d;:]*m$/;
const escapes =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][\s\S]*?(?:\x07|\x1b\\|$)|[ -/]*[0-~])|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Foreign text that may be shown on a terminal: colours stay, all else that a terminal would obey goes. */
export function safeForTerminal(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(escapes, (found) => (colour.test(found) ? found : ''));
}

/** Characters that turn the order of others around: in text that a stranger wrote they only deceive. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;

/** Foreign text without anything that a terminal would obey, colours included. */
export function withoutEscapes(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(escapes, '').replace(reordering, '');
}

/** Foreign text on one line, without colours. */
export function oneLine(text: string): string {
  return text.replace(escapes, '').replace(/\s+/g, ' ').trim();
}
