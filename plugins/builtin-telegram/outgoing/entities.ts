const named: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u{A0}',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  rarr: '→',
  larr: '←',
  times: '×',
};

/** Decodes HTML entities such as `&amp;`, which Markdown allows in text. Unknown ones are kept. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return named[(name as string).toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
    return isCharacter ? String.fromCodePoint(code) : all;
  });
}
