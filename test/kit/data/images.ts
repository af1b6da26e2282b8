import { crc32, deflateSync } from 'node:zlib';

/** One pixel in each format that providers accept, in base64. `dot` makes 256 different PNGs. */
export const images = {
  'image/png': dot(0),
  'image/jpeg':
    '/9j/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'image/webp': 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
} as const;

/** A PNG of one grey pixel, with a `shade` from 0 to 255. */
export function dot(shade: number): string {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const body = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, shade]))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...body]).toString('base64');
}

/** Of a PNG, with its length and checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
