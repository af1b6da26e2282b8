/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const readers: { readonly [mimeType: string]: (bytes: Buffer) => PictureSize | undefined } = {
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/jpeg': jpegSize,
};

/** Of a complete PNG, GIF or JPEG file. Undefined for another type. */
export const sizeOfPicture = (bytes: Buffer, mimeType: string): PictureSize | undefined =>
  readers[mimeType]?.(bytes);

/** The frame's segment has it; segments before it are skipped. */
function jpegSize(bytes: Buffer): PictureSize | undefined {
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
