import { crc32 } from 'node:zlib';

/**
 * Whether the bytes of an image look complete: it has a size, data and an end. Pixels are not decoded.
 */
export type IsWhole = (bytes: Buffer) => boolean;

/** NaN beyond the end of the file, so that comparisons are false. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? NaN;
const u16 = (bytes: Buffer, at: number): number => (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1);
const littleU16 = (bytes: Buffer, at: number): number => byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8);

/** Chunks with valid checksums: IHDR with a size first, then zlib data, then IEND. */
export const isWholePng: IsWhole = (bytes) => {
  let data = 0;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (end > bytes.length) return false;
    // A capital first letter marks critical chunks.
    const isCritical = /^[A-Z]/.test(type);
    if (isCritical && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false;
    if ((at === 8) !== (type === 'IHDR')) return false;
    if (type === 'IHDR' && !hasPngSize(bytes, length)) return false;
    if (type === 'IDAT') {
      if (data === 0 && length >= 2 && !isZlib(u16(bytes, at + 8))) return false;
      data += length;
    }
    if (type === 'IEND') return data > 0;
    at = end;
  }
  return false;
};

const hasPngSize = (bytes: Buffer, length: number): boolean =>
  length === 13 && bytes.readUInt32BE(16) > 0 && bytes.readUInt32BE(20) > 0;

const isZlib = (header: number): boolean => ((header >> 8) & 15) === 8 && header % 31 === 0;

/** Segments up to a scan, with a frame that has a size; then data and an end marker. */
export const isWholeJpeg: IsWhole = (bytes) => {
  let hasFrame = false;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return false;
    const marker = byteAt(bytes, at + 1);
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = u16(bytes, at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return false;
    // Start of a frame, except for the table markers in this range. Its height may come later.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      hasFrame = length >= 11 && u16(bytes, at + 7) > 0 && byteAt(bytes, at + 9) > 0;
      if (!hasFrame) return false;
    }
    at += 2 + length;
    if (marker === 0xda) return hasFrame && bytes.indexOf('\xff\xd9', at, 'latin1') > at;
  }
  return false;
};

/** A screen with a size, and an image with data. The last byte is often missing, which readers tolerate. */
export const isWholeGif: IsWhole = (bytes) => {
  const hasSize = littleU16(bytes, 6) > 0 && littleU16(bytes, 8) > 0;
  if (bytes.length < 13 || !hasSize) return false;
  for (let at = 13 + paletteLength(byteAt(bytes, 10)); at < bytes.length;) {
    if (bytes[at] === 0x21) at = afterBlocks(bytes, at + 2);
    else if (bytes[at] !== 0x2c) return false;
    else {
      const data = at + 10 + paletteLength(byteAt(bytes, at + 9)) + 1;
      const isThere = littleU16(bytes, at + 5) > 0 && littleU16(bytes, at + 7) > 0;
      return isThere && byteAt(bytes, data) > 0 && afterBlocks(bytes, data) <= bytes.length;
    }
  }
  return false;
};

const paletteLength = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Index after a sequence of length-prefixed blocks, including the empty one that ends it. */
function afterBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!;
  return at + 1;
}

/** As long as its header says, with a picture chunk that has a size. */
export const isWholeWebp: IsWhole = (bytes) => {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return false;
  const end = bytes.readUInt32LE(4) + 8;
  for (let at = 12; at + 8 <= end;) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return false;
    if (type === 'VP8 ') return isLossy(bytes, at + 8, length);
    if (type === 'VP8L') return length > 5 && bytes[at + 8] === 0x2f;
    if (type === 'ANMF') return length > 24;
    at += 8 + length + (length % 2);
  }
  return false;
};

const isLossy = (bytes: Buffer, at: number, length: number): boolean =>
  length > 10 &&
  bytes.toString('latin1', at + 3, at + 6) === '\x9d\x01\x2a' &&
  (littleU16(bytes, at + 6) & 0x3fff) > 0 &&
  (littleU16(bytes, at + 8) & 0x3fff) > 0;
