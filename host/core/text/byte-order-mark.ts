const byteOrderMark = '\uFEFF';

/** Some programs begin UTF-8 text with a byte order mark, which JSON and most formats don't allow. */
export const withoutByteOrderMark = (text: string): string =>
  text.startsWith(byteOrderMark) ? text.slice(1) : text;
