import { hostname } from 'node:os';
import { pathToFileURL } from 'node:url';
import { imageTypeOf } from '../../../agent/models/images/image-type.ts';
import type { Content } from '../../../api/result.ts';
import { shortSize } from '../../../core/text/short-size.ts';
import { keepPicture } from '../../../store/files/pictures.ts';
import type { Surface } from '../terminal.ts';
import { drawPicture } from './draw-picture.ts';
import { graphicsOf, hasLinks } from './graphics.ts';

type Image = Extract<Content, { readonly type: 'image' }>;

export interface KeptPicture {
  /** The file that keeps it. */
  readonly path: string;
  /** Control sequences and text, which are written as they are: the picture where the terminal can show it, and its path. */
  lines(): Promise<readonly { readonly raw: string }[]>;
}

/** Keeps a picture in the home. Undefined for one that isn't complete or can't be kept. */
export function showPicture(
  image: Image,
  home: string,
  {
    isTerminal,
    width,
    stream,
    env,
    answers,
  }: Pick<Surface, 'isTerminal' | 'width' | 'stream' | 'env' | 'answers'>,
): KeptPicture | undefined {
  const mimeType = imageTypeOf(image);
  if (mimeType === undefined) return undefined;
  const bytes = Buffer.from(image.data, 'base64');
  const path = keptOrNot(home, bytes, mimeType);
  if (path === undefined) return undefined;
  return {
    path,
    async lines() {
      const graphics = isTerminal ? graphicsOf(env, answers) : undefined;
      // Above it stays room for the line of its call, below for what follows.
      const room = { columns: width - 1, rows: Math.max(4, (stream.rows ?? 24) - 6) };
      const drawn = graphics && (await drawPicture({ bytes, mimeType }, graphics, room, answers));
      const shown = isTerminal && hasLinks(env) ? linkTo(path) : path;
      const caption = `[${mimeType}, ${shortSize(bytes.length)}: ${shown}]`;
      const lines = drawn === undefined ? [caption] : [drawn, caption];
      return lines.map((raw) => ({ raw }));
    },
  };
}

/** A home that can't be written to keeps none. */
function keptOrNot(home: string, bytes: Buffer, mimeType: string): string | undefined {
  try {
    return keepPicture(home, bytes, mimeType);
  } catch {
    return undefined;
  }
}

/** A terminal on another machine sees that the file isn't there. */
const linkTo = (path: string): string =>
  `\x1b]8;;file://${hostname()}${pathToFileURL(path).pathname}\x1b\\${path}\x1b]8;;\x1b\\`;
