import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runThread } from '../../../core/async/thread.ts';
import { packageRoot } from '../../../core/files/paths.ts';
import type { Colour } from '../answers.ts';
import type { PictureSize } from './picture-size.ts';

export interface Picture {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

/** What a picture becomes. It is scaled to the size. */
export interface PictureTarget extends PictureSize {
  readonly format: 'sixel' | 'png';
  /** What shows through transparent pixels. */
  readonly background: Colour;
}

/** The input of the thread. */
export interface PictureWork {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly target: PictureTarget;
}

/** Formats that can be decoded. */
const decodable: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
/** A photo of 12 megapixels fits. A file of a few bytes may claim any size. */
const maxPixels = 16_000_000;
const timeoutMs = 10_000;
/** Megabytes. */
const memory = 512;
/** In the built package this file may be anywhere, but the thread's file is at this path. */
const module = `host/cli/terminal/pictures/picture-thread${extname(import.meta.filename)}`;

/**
 * Converts a picture of `size` in a thread, which ends whatever is in the file. Undefined for another format than PNG and
 * JPEG, and for one that is too large or can't be decoded.
 */
export async function convertPicture(
  { bytes, mimeType }: Picture,
  { width, height }: PictureSize,
  target: PictureTarget,
): Promise<Buffer | undefined> {
  if (!decodable.has(mimeType) || width * height > maxPixels || width * height === 0) return undefined;
  const work: PictureWork = { bytes: new Uint8Array(bytes), mimeType, target };
  try {
    const converted = await runThread<Uint8Array>(pathToFileURL(join(packageRoot, module)), work, {
      signal: new AbortController().signal,
      timeoutMs,
      memory,
    });
    return Buffer.from(converted);
  } catch {
    // Its path is shown, and whoever opens the file learns what is wrong with it.
    return undefined;
  }
}
