import type { Graphics } from './graphics.ts';
import { sizeOfPicture, type PictureSize } from './picture-size.ts';

/** Pixels of one character, about: terminals don't say, and scale pictures to the columns that they are given. */
const cell = { width: 10, height: 20 } as const;
const maxColumns = 80;
/** Larger ones take a terminal long to read. */
const maxBytes = 5 * 1024 * 1024;
/** Of base64, in one sequence of kitty's. */
const maxChunk = 4096;

/**
 * The control sequences that show a picture, without a line break. `room`: in columns and rows. Undefined where the
 * terminal can't show this one: kitty's protocol takes PNG alone.
 */
export function drawPicture(
  bytes: Buffer,
  mimeType: string,
  graphics: Graphics,
  room: { readonly columns: number; readonly rows: number },
): string | undefined {
  const size = sizeOfPicture(bytes, mimeType);
  if (!size || bytes.length > maxBytes || (graphics === 'kitty' && mimeType !== 'image/png'))
    return undefined;
  const columns = columnsFor(size, room);
  const data = bytes.toString('base64');
  return graphics === 'kitty'
    ? kittyPicture(data, columns)
    : `\x1b]1337;File=inline=1;size=${bytes.length};width=${columns};height=auto;preserveAspectRatio=1:${data}\x07`;
}

/** At its own size if it fits, and never wider or higher than the room. */
function columnsFor(
  { width, height }: PictureSize,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): number {
  const own = Math.ceil(width / cell.width);
  const forRows = Math.floor((rows * cell.height * width) / (height * cell.width));
  return Math.max(1, Math.min(own, forRows, columns, maxColumns));
}

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
