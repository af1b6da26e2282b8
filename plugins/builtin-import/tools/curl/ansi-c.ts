const letters: { readonly [letter: string]: number } = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  e: 27,
  E: 27,
  '\\': 0x5c,
  "'": 0x27,
  '"': 0x22,
  '?': 0x3f,
};

const token =
  /\\(?:(?<octal>[0-7]{1,3})|x(?:\{(?<long>[\da-fA-F]+)\}?|(?<hex>[\da-fA-F]{1,2}))|u(?<short>[\da-fA-F]{1,4})|U(?<full>[\da-fA-F]{1,8})|c(?<control>\\?.)|(?<letter>.))|[^\\]+/gs;

/**
 * What is in `$'…'` of bash, whose escapes are bytes. Ends at a NUL, as in bash. Undefined for bytes that aren't UTF-8.
 */
export function decodeAnsiC(text: string): string | undefined {
  const bytes = Buffer.concat([...text.matchAll(token)].map(bytesOf));
  const end = bytes.indexOf(0);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      end < 0 ? bytes : bytes.subarray(0, end),
    );
  } catch {
    return undefined;
  }
}

function bytesOf({ 0: found, groups = {} }: RegExpExecArray): Buffer {
  const { octal, long, hex, short, full, control, letter } = groups;
  const byte = (value: number): Buffer => Buffer.from([value & 0xff]);
  if (octal !== undefined) return byte(Number.parseInt(octal, 8));
  if (long !== undefined || hex !== undefined) return byte(Number.parseInt((long ?? hex)!.slice(-2), 16));
  // What isn't a character stays as it is written, and isn't sent.
  const point = Number.parseInt(short ?? full ?? '', 16);
  if (point <= 0x10_ffff) return Buffer.from(String.fromCodePoint(point));
  if (control !== undefined) return byte(control.codePointAt(control.length - 1)! & 0x1f);
  if (letter !== undefined && Object.hasOwn(letters, letter)) return byte(letters[letter]!);
  return Buffer.from(found);
}
