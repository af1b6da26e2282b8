/** Between the rules of a schedule with several. */
export const separator = /\s*;\s*/;

/** Whether a text is to be a rule, which it is before any words are read. */
export const isRule = (text: string): boolean =>
  text
    .split(separator)
    .every((part) => /^(?:@\w+$|R\d*\/)|^[\d*][\d*,/-]*\s+[\d*][\d*,/-]*(?:\s+\S+){3,5}$/.test(part));
