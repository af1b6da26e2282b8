/** A thread that converts one picture: `workerData` is the work, and the bytes of the result are its only message. */
import { parentPort, workerData } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { PictureTarget, PictureWork } from './convert-picture.ts';
import { encodeSixel } from './encode-sixel.ts';
import { scalePixels, type Pixels } from './scale-pixels.ts';

/** Of what an interlaced PNG holds: 16 million pixels of 8 bytes, in rows that begin with another one. */
const maxInflated = 160 * 1024 * 1024;
const maxMegapixels = 16;

const decoders: { readonly [mimeType: string]: (bytes: Buffer) => Pixels } = {
  'image/png': decodePng,
  'image/jpeg': (bytes) => jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: maxMegapixels }),
};

function decodePng(bytes: Buffer): Pixels {
  // pngjs inflates these without a limit.
  if (bytes[28] === 1) inflateSync(dataOf(bytes), { maxOutputLength: maxInflated });
  return PNG.sync.read(bytes);
}

/** The joined IDAT chunks of a whole PNG. */
function dataOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const isData = bytes.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isData) parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  return Buffer.concat(parts);
}

const encoders: { readonly [format in PictureTarget['format']]: (pixels: Pixels) => Buffer } = {
  png({ width, height, data }) {
    const png = new PNG({ width, height });
    png.data.set(data);
    return PNG.sync.write(png);
  },
  sixel: (pixels) => Buffer.from(encodeSixel(pixels), 'latin1'),
};

const { bytes, mimeType, target } = workerData as PictureWork;
const pixels = scalePixels(decoders[mimeType]!(Buffer.from(bytes)), target);
parentPort!.postMessage(encoders[target.format](pixels), []);
