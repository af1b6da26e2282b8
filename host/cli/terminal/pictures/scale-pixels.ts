import type { Colour } from '../answers.ts';
import type { PictureSize } from './picture-size.ts';

/** Red, green, blue and alpha of each, row by row. */
export interface Pixels extends PictureSize {
  readonly data: Uint8Array;
}

/**
 * Makes a picture smaller, or leaves its size, and puts it on a background. Each pixel is the average of those that it
 * stands for. Its data has a buffer of its own.
 */
export function scalePixels(
  source: Pixels,
  { width, height, background }: PictureSize & { readonly background: Colour },
): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const rows = spanOf(y, height, source.height);
    for (let x = 0; x < width; x++) {
      const columns = spanOf(x, width, source.width);
      data.set(average(source, rows, columns, background), (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

type Span = readonly [from: number, to: number];

/** What one of `count` equal parts of `length` covers. */
const spanOf = (at: number, count: number, length: number): Span => [
  Math.floor((at * length) / count),
  Math.max(Math.floor((at * length) / count) + 1, Math.floor(((at + 1) * length) / count)),
];

function average(
  { data, width }: Pixels,
  [top, bottom]: Span,
  [left, right]: Span,
  background: Colour,
): readonly number[] {
  let [red, green, blue, opaque] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
      const alpha = data[at + 3]!;
      red += data[at]! * alpha;
      green += data[at + 1]! * alpha;
      blue += data[at + 2]! * alpha;
      opaque += alpha;
    }
  }
  const all = (bottom - top) * (right - left) * 255;
  const mixed = (sum: number, behind: number): number => Math.round((sum + behind * (all - opaque)) / all);
  return [mixed(red, background[0]), mixed(green, background[1]), mixed(blue, background[2]), 255];
}
