import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { PickedFile } from '../../api/ask.ts';
import type { Content } from '../../api/result.ts';
import { mediaTypeOf } from '../../core/files/media-type.ts';
import { textInBytes } from '../../core/text/text-in-bytes.ts';

/** Maximum characters of a text, and bytes of an image, that the result holds itself. The rest is only linked. */
const maxTextLength = 30_000;
const maxImageBytes = 5 * 1024 * 1024;

/** A link to the file, and its text or image where that is short enough. */
export async function readPicked({ name, path, mimeType, size }: PickedFile): Promise<readonly Content[]> {
  const link = (type: string): Content => ({
    type: 'resource_link',
    uri: pathToFileURL(path).href,
    name,
    size,
    ...(type !== '' && { mimeType: type }),
  });
  if (size > maxImageBytes) return [link(mimeType)];
  const bytes = await readFile(path);
  const found = mediaTypeOf(bytes);
  if (found?.startsWith('image/'))
    return [link(found), { type: 'image', data: bytes.toString('base64'), mimeType: found }];
  const text = found === undefined ? textInBytes(bytes) : undefined;
  if (text === undefined || text.length > maxTextLength) return [link(found ?? mimeType)];
  return [link(mimeType), { type: 'text', text }];
}
