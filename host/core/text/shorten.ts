/** The text, or as much of its beginning and end as `longest` UTF-16 units hold, with … for what is missing. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.floor((longest - 1) / 3);
  const start = longest - 1 - end;
  return `${text.slice(0, start).toWellFormed()}…${text.slice(text.length - end).toWellFormed()}`;
}

/** Names and values of a file stand in what is said of it, and may have any length there. */
const maxSaidLength = 400;

/** What is said of a file, each text short enough to be read in a list. */
export function briefly<T extends { readonly message: string; readonly hint?: string }>(said: T): T {
  const { message, hint } = said;
  if (message.length <= maxSaidLength && (hint?.length ?? 0) <= maxSaidLength) return said;
  return {
    ...said,
    message: shorten(message, maxSaidLength),
    ...(hint !== undefined && { hint: shorten(hint, maxSaidLength) }),
  };
}
