/** Minimum characters. Shorter values would be found in ordinary words. */
export const minFormLength = 6;

/** Minimum length of a line of a multi-line value. A shorter line isn't secret by itself. */
const minLineLength = 16;

/**
 * The forms in which a value may occur: plain, its long lines, hex, base64 at all three offsets in both alphabets, with
 * plus signs for spaces, and as JSON in JSON. Other escapes are decoded before the search.
 */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset));
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= minLineLength);
  const forms = [
    secret,
    ...lines,
    secret.replaceAll(' ', '+'),
    jsonEscaped(secret),
    jsonEscaped(jsonEscaped(secret)),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(forms)].filter((form) => form.length >= minFormLength);
}

/** Without the first and last characters, which also encode bits of neighbouring bytes. */
function base64Core(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const from = [0, 2, 3][offset]!;
  return encoded.slice(from, encoded.length - ((bytes.length + offset) % 3 === 0 ? 0 : 1));
}

const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1);
