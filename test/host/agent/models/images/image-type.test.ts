import { describe, expect, test } from 'vitest';
import { imageTypeOf } from '../../../../../host/agent/models/images/image-type.ts';
import { images } from '../../../../kit/data/images.ts';

const typeOf = (bytes: Buffer): string | undefined => imageTypeOf({ data: bytes.toString('base64') });
const kinds = Object.entries(images).map(([type, data]) => [type, Buffer.from(data, 'base64')] as const);
const png = kinds[0]![1];

describe.for(kinds)('%s', ([type, whole]) => {
  test('is known by its bytes', () => {
    expect(typeOf(whole)).toBe(type);
  });

  test('is none where its end, or all but its beginning, is missing', () => {
    // The last byte of a GIF, and the padding of a WebP, may be missing.
    for (let length = 0; length < whole.length - 2; length++)
      expect(typeOf(whole.subarray(0, length)), `${length}`).toBeUndefined();
  });

  test('whatever is changed in it is judged without a fault', () => {
    for (let at = 0; at < whole.length; at++)
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = value;
        expect([type, undefined]).toContain(typeOf(changed));
      }
  });
});

test('a PNG without a size, without data, or with a wrong checksum is none', () => {
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(png);
    copy[at] = value;
    return copy;
  };
  expect(typeOf(changed(19, 0))).toBeUndefined();
  expect(typeOf(changed(png.length - 20, 0x55))).toBeUndefined();
  const end = png.subarray(png.indexOf('IEND') - 4);
  expect(typeOf(Buffer.concat([png.subarray(0, png.indexOf('IDAT') - 4), end]))).toBeUndefined();
  expect(typeOf(Buffer.concat([png, Buffer.from('more')]))).toBe('image/png');
});
