/** The text, or its beginning and end with … in between, in at most `longest` UTF-16 units. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.floor((longest - 1) / 3);
  const start = longest - 1 - end;
  return `${text.slice(0, start).toWellFormed()}…${text.slice(text.length - end).toWellFormed()}`;
}

/** Messages about a file quote names and values of any length. */
const maxSaidLength = 400;

/** Diagnostics with each text short enough for a list. */
export function briefly<T extends { readonly message: string; readonly hint?: string }>(said: T): T {
  const { message, hint } = said;
  if (message.length <= maxSaidLength && (hint?.length ?? 0) <= maxSaidLength) return said;
  return {
    ...said,
    message: shorten(message, maxSaidLength),
    ...(hint !== undefined && { hint: shorten(hint, maxSaidLength) }),
  };
}
