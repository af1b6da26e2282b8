import { FINALIZER, image2sixel, introducer, sixelEncode } from 'sixel';
import type { Pixels } from './scale-pixels.ts';

/** As many as every terminal has. */
const maxColours = 256;

/**
 * Few colours are kept; of more, similar ones become one. The library's search for similar ones isn't meant for few: of red
 * and blue in equal parts it makes purple. The pixels must be opaque, and are changed.
 */
export function encodeSixel({ data, width, height }: Pixels): string {
  const palette = coloursOf(data);
  return palette
    ? `${introducer()}${sixelEncode(data, width, height, palette)}${FINALIZER}`
    : image2sixel(data, width, height, maxColours);
}

/** Undefined if there are too many. */
function coloursOf(data: Uint8Array): number[] | undefined {
  const colours = new Set<number>();
  for (const colour of new Uint32Array(data.buffer)) {
    colours.add(colour);
    if (colours.size > maxColours) return undefined;
  }
  return [...colours];
}
