/** A character that is invisible to readers or affects a terminal, and its position. */
export interface HiddenCharacter {
  /** UTF-16 units from the start. */
  readonly index: number;
  readonly length: number;
  /** kebab-case, for diagnostics. */
  readonly code: 'hidden-character' | 'ansi-escape' | 'control-character' | 'lone-cr';
  /** "U+200B (zero-width)" */
  readonly name: string;
}

/**
 * Based on Unicode's own lists: control characters except tab and line ends, default ignorable characters (joiners,
 * fillers, text direction, variation selectors, the tags block), formats, lone surrogates, line separators. A few
 * formats are visible: Arabic, Syriac and Kaithi signs that enclose numbers. A carriage return counts unless a line
 * feed follows.
 */
const suspicious =
  /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\u2028\u2029]--[\t\n\r\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]|\r(?!\n)/gv;
/**
 * Everything but what is seen: letters, marks, numbers, punctuation, symbols, and the space, tab and line ends that
 * everybody types. So also other spaces, private characters and ones that no font has. No property tells the few apart
 * whose picture is empty: Braille without dots, a note without a head, blanks and fillers of old scripts. Formats are
 * judged by the list above.
 */
const unseen = /[[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\t\n\r ][\u2800\u{1D159}\u{13441}\u{13442}\u{16FE4}]]/gv;
/** Nearly all texts contain none of these, and this check needs no Unicode tables. */
const unusual = /[^\t\n\u0020-\u007E]/;

/** Joiners and variation selectors are legitimate in emoji and some scripts. Anywhere else they hide something. */
const emojiBefore = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{So}]$/u;
const keycap = /^[#*0-9]$/;
const emoji = /^\p{Extended_Pictographic}$/u;
const joiningScript =
  /^[\p{scx=Arabic}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Gujarati}\p{scx=Gurmukhi}\p{scx=Oriya}\p{scx=Khmer}\p{scx=Myanmar}]$/u;

/** The first one, or undefined. */
export function findHidden(text: string): HiddenCharacter | undefined {
  if (!unusual.test(text)) return undefined;
  for (const match of text.matchAll(suspicious)) {
    if (!belongs(text, match.index, match[0])) return describe(match.index, match[0]);
  }
  return undefined;
}

/** The text without them. Carriage returns become line feeds. */
export const stripHidden = (text: string): string =>
  replaceHidden(text, (found) => (found === '\r' ? '\n' : ''));

/** The text with each replaced. */
export function replaceHidden(text: string, replacement: (found: string) => string): string {
  if (!unusual.test(text)) return text;
  return text.replace(suspicious, (found, index: number) =>
    belongs(text, index, found) ? found : replacement(found),
  );
}

/** The text with each character replaced that is shown as nothing or as a blank where it isn't usual. */
export function replaceUnseen(text: string, replacement: (found: string) => string): string {
  if (!unusual.test(text)) return text;
  return replaceHidden(text, replacement).replace(unseen, (found, index: number, whole: string) =>
    isTypeset(whole, index, found) ? found : replacement(found),
  );
}

const eastAsian = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]$/u;

/** The wide space within Chinese, Japanese and Korean, and the unbreakable ones of French before its marks. */
function isTypeset(text: string, index: number, found: string): boolean {
  const before = characterBefore(text, index);
  const after = String.fromCodePoint(text.codePointAt(index + 1) ?? 0);
  if (found === '\u3000') return eastAsian.test(before) && eastAsian.test(after);
  return (found === '\u00A0' || found === '\u202F') && (/[:?!»%€]/.test(after) || before === '«');
}

function belongs(text: string, index: number, found: string): boolean {
  const before = characterBefore(text, index);
  const after = String.fromCodePoint(text.codePointAt(index + 1) ?? 0);
  if (found === '\uFE0F' || found === '\uFE0E')
    return emojiBefore.test(before) || (keycap.test(before) && after === '\u20E3');
  if (found !== '\u200D' && found !== '\u200C') return false;
  if (joiningScript.test(before)) return true;
  return found === '\u200D' && (emojiBefore.test(before) || before === '\uFE0F') && emoji.test(after);
}

function characterBefore(text: string, index: number): string {
  const pair = text.slice(Math.max(0, index - 2), index);
  return pair.codePointAt(0)! > 0xffff ? pair : pair.slice(-1);
}

function describe(index: number, found: string): HiddenCharacter {
  const point = found.codePointAt(0)!;
  const number = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const place = { index, length: found.length };
  if (point === 0x0d)
    return { ...place, code: 'lone-cr', name: `${number} (carriage return without line feed)` };
  if (point === 0x1b) return { ...place, code: 'ansi-escape', name: `${number} (ANSI escape)` };
  if (point < 0xa0) return { ...place, code: 'control-character', name: `${number} (control character)` };
  return { ...place, code: 'hidden-character', name: `${number} (${kindOf(point)})` };
}

function kindOf(point: number): string {
  if (point >= 0xe0000 && point <= 0xe007f) return 'invisible tag';
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069)) return 'text direction';
  if (point === 0x200e || point === 0x200f || point === 0x061c) return 'text direction';
  if (point >= 0xfe00 && point <= 0xfe0f) return 'variation selector';
  if (point >= 0xe0100 && point <= 0xe01ef) return 'variation selector';
  if (point === 0xfeff) return 'byte-order mark inside the text';
  return 'invisible';
}
