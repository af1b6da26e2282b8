/** A character that a reader can't see, or that does something to a terminal, and where it stands. */
export interface HiddenCharacter {
  /** UTF-16 units from the start. */
  readonly index: number;
  readonly length: number;
  /** kebab-case, for diagnostics. */
  readonly code: 'hidden-character' | 'ansi-escape' | 'control-character' | 'lone-cr';
  /** "U+200B (zero-width)" */
  readonly name: string;
}

const invisible = [
  '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F', // control characters except tab and line ends
  '\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u3164\\uFFA0', // soft hyphen, joiners and fillers
  '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069', // text direction
  '\\u200B-\\u200D\\u2028\\u2029\\u2060-\\u2065\\u206A-\\u206F\\uFEFF', // zero-width, separators, invisible operators
  '\\u180B-\\u180F\\uFE00-\\uFE0F\\u{E0000}-\\u{E0FFF}', // variation selectors, the tags block
  '\\uFFF9-\\uFFFB\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}', // marks of interlinear text, shorthand, music
].join('');
/** Any of these, and a carriage return that no line feed follows. */
const suspicious = new RegExp(`[${invisible}]|\\r(?!\\n)`, 'gu');
/** Nearly every text has none of these: one pass that needs no Unicode tables. */
const unusual = /[^\t\n\u0020-\u007E]/;

/** Joiners and variation selectors belong to emoji and to some scripts; anywhere else they hide something. */
const emojiPart = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{So}\u20E3\uFE0F#*0-9]$/u;
const emoji = /^\p{Extended_Pictographic}$/u;
const joiningScript =
  /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]$/u;

/** The first one, or undefined. */
export function findHidden(text: string): HiddenCharacter | undefined {
  if (!unusual.test(text)) return undefined;
  for (const match of text.matchAll(suspicious)) {
    if (!belongs(text, match.index, match[0])) return describe(match.index, match[0]);
  }
  return undefined;
}

/** The text without them; carriage returns become line feeds. */
export function stripHidden(text: string): string {
  if (!unusual.test(text)) return text;
  return text.replace(suspicious, (found, index: number) =>
    belongs(text, index, found) ? found : found === '\r' ? '\n' : '',
  );
}

function belongs(text: string, index: number, found: string): boolean {
  const before = characterBefore(text, index);
  if (found === '\uFE0F' || found === '\uFE0E') return emojiPart.test(before);
  if (found !== '\u200D' && found !== '\u200C') return false;
  if (joiningScript.test(before)) return true;
  const after = String.fromCodePoint(text.codePointAt(index + 1) ?? 0);
  return found === '\u200D' && emojiPart.test(before) && emoji.test(after);
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
