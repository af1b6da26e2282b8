/** Characters that are invisible, or that change the order or position of visible ones. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{E0000}-\u{E007F}\u115F\u1160\u3164\uFFA0]/gu;
const plain = /^[A-Za-z0-9_./:@%+=,-]+$/;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\u001b': '\\e' };

/** `text` as one word of bash. Hidden characters are written out, in `$'…'`, so that the word is exact and visible. */
export function quote(text: string): string {
  if (plain.test(text)) return text;
  if (text.search(hidden) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${showHidden(text.replace(/[\\']/g, '\\$&'))}'`;
}

/** `text` with its hidden characters as bash's `$'…'` writes them. */
export function showHidden(text: string): string {
  return text.replace(hidden, escapeOf);
}

/** The same for multi-line text that is only displayed: its line ends stay. */
export function showHiddenInLines(text: string): string {
  return text.replace(hidden, (character) => (character === '\n' ? '\n' : escapeOf(character)));
}

export function hasHidden(text: string): boolean {
  return text.search(hidden) >= 0;
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!;
  const digits = code.toString(16);
  if (named[character] !== undefined) return named[character];
  if (code < 0x80) return `\\x${digits.padStart(2, '0')}`; // Above it `\x` would be half a character.
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
