/** How a text file is stored, so that an edit leaves everything else as it was. */
export interface TextForm {
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be' | 'latin1';
  readonly bom: boolean;
  /** `mixed`: some lines end in CRLF, some in LF. */
  readonly lineEnd: '\n' | '\r\n' | 'mixed';
}
export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly form: TextForm;
}

const marks = {
  utf8: Buffer.from([0xef, 0xbb, 0xbf]),
  utf16le: Buffer.from([0xff, 0xfe]),
  utf16be: Buffer.from([0xfe, 0xff]),
} as const;

/** Found at once. `toText` also finds others. */
export const isBinary = (bytes: Buffer): boolean =>
  bytes.includes(0) &&
  ![marks.utf16le, marks.utf16be].some((mark) => bytes.subarray(0, 2).equals(mark) && bytes.length % 2 === 0);

/** The bytes as text; undefined for a binary file. */
export function toText(bytes: Buffer): DecodedText | undefined {
  for (const encoding of ['utf16le', 'utf16be'] as const) {
    if (!bytes.subarray(0, 2).equals(marks[encoding]) || bytes.length % 2 === 1) continue;
    const body = bytes.subarray(2);
    const text = (encoding === 'utf16le' ? body : Buffer.from(body).swap16()).toString('utf16le');
    return { text, form: { encoding, bom: true, lineEnd: lineEndOf(text) } };
  }
  if (isBinary(bytes)) return undefined;
  const bom = bytes.subarray(0, 3).equals(marks.utf8);
  const text = decodeUtf8(bom ? bytes.subarray(3) : bytes);
  if (text !== undefined) return { text, form: { encoding: 'utf8', bom, lineEnd: lineEndOf(text) } };
  // Not UTF-8: text in an old 8-bit encoding has no control characters, compressed data nearly always has some.
  const latin = bytes.toString('latin1');
  if (/[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(latin)) return undefined;
  return { text: latin, form: { encoding: 'latin1', bom: false, lineEnd: lineEndOf(latin) } };
}

/** The reverse of `toText`. Undefined when the file's encoding lacks characters of the text. */
export function toBytes(text: string, { encoding, bom }: TextForm): Buffer | undefined {
  switch (encoding) {
    case 'utf8':
      return Buffer.concat([bom ? marks.utf8 : Buffer.alloc(0), Buffer.from(text)]);
    case 'utf16le':
      return Buffer.concat([marks.utf16le, Buffer.from(text, 'utf16le')]);
    case 'utf16be':
      return Buffer.concat([marks.utf16be, Buffer.from(text, 'utf16le').swap16()]);
    case 'latin1':
      return /[^\x00-\xff]/.test(text) ? undefined : Buffer.from(text, 'latin1');
  }
}

export const newTextForm: TextForm = { encoding: 'utf8', bom: false, lineEnd: '\n' };

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function lineEndOf(text: string): TextForm['lineEnd'] {
  let [crlf, all] = [0, 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all++;
    if (text[at - 1] === '\r') crlf++;
  }
  if (crlf === 0) return '\n';
  return crlf === all ? '\r\n' : 'mixed';
}
