import type { TerminalAnswers } from '../answers.ts';
import type { Picture, PictureTarget } from './convert-picture.ts';
import type { Graphics } from './graphics.ts';
import { sizeOfPicture, type PictureSize } from './picture-size.ts';

/** Pixels of one character, about, in a terminal that doesn't say. */
const usualCell = { width: 10, height: 20 } as const;
const maxColumns = 80;
/** Larger ones take a terminal long to read. */
const maxBytes = 5 * 1024 * 1024;
/** Pixels of a converted picture in both directions: xterm cuts off what is beyond. */
const maxSide = 1000;
/** Of base64, in one sequence of kitty's. */
const maxChunk = 4096;

interface PictureRoom {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The control sequences that show a picture, without a line break. Undefined where the terminal can't show this one, and
 * for one that can't be decoded.
 */
export async function drawPicture(
  picture: Picture,
  graphics: Graphics,
  room: PictureRoom,
  { cell = usualCell, background = [0, 0, 0] }: TerminalAnswers,
): Promise<string | undefined> {
  const { bytes, mimeType } = picture;
  const size = sizeOfPicture(bytes, mimeType);
  if (!size || bytes.length > maxBytes) return undefined;
  const columns = Math.min(room.columns, maxColumns);
  switch (graphics) {
    case 'iterm':
      return itermPicture(bytes, columnsFor(size, { ...room, columns }));
    case 'kitty': {
      // Its protocol takes PNG alone.
      const to = { format: 'png', background, ...fit(size, { width: maxSide, height: maxSide }) } as const;
      const png = mimeType === 'image/png' ? bytes : await convert(picture, size, to);
      return png && kittyPicture(png.toString('base64'), columnsFor(size, { ...room, columns }));
    }
    case 'sixel': {
      const most = {
        width: Math.min(maxSide, columns * cell.width),
        height: Math.min(maxSide, room.rows * cell.height),
      };
      const to = { format: 'sixel', background, ...fit(size, most) } as const;
      return (await convert(picture, size, to))?.toString('latin1');
    }
  }
}

/** What it takes is loaded with the first picture that has to be converted. */
async function convert(picture: Picture, size: PictureSize, to: PictureTarget): Promise<Buffer | undefined> {
  const { convertPicture } = await import('./convert-picture.ts');
  return await convertPicture(picture, size, to);
}

/** At its own size if it fits, and never wider or higher than the room. */
function columnsFor({ width, height }: PictureSize, { columns, rows }: PictureRoom): number {
  const own = Math.ceil(width / usualCell.width);
  const forRows = Math.floor((rows * usualCell.height * width) / (height * usualCell.width));
  return Math.max(1, Math.min(own, forRows, columns));
}

/** Its own size, or a smaller one with the same proportions. */
function fit({ width, height }: PictureSize, most: PictureSize): PictureSize {
  const scale = Math.min(1, most.width / width, most.height / height);
  const scaled = (length: number): number => Math.max(1, Math.floor(length * scale));
  return { width: scaled(width), height: scaled(height) };
}

const itermPicture = (bytes: Buffer, columns: number): string =>
  `\x1b]1337;File=inline=1;size=${bytes.length};width=${columns};height=auto;preserveAspectRatio=1:${bytes.toString('base64')}\x07`;

/** `q=2`: the terminal answers nothing, which would be read as typed. */
function kittyPicture(data: string, columns: number): string {
  const chunks = data.match(new RegExp(`.{1,${maxChunk}}`, 'g')) ?? [];
  return chunks
    .map((chunk, at) => {
      const head = at === 0 ? `a=T,f=100,q=2,c=${columns},` : '';
      return `\x1b_G${head}m=${at < chunks.length - 1 ? 1 : 0};${chunk}\x1b\\`;
    })
    .join('');
}
