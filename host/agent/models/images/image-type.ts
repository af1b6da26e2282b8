import { isWholeGif, isWholeJpeg, isWholePng, isWholeWebp, type IsWhole } from './image-structure.ts';

/** The image types that providers accept: signature as Latin-1, and completeness check. */
const kinds: readonly (readonly [type: string, signature: RegExp, isWhole: IsWhole])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/, isWholePng],
  ['image/jpeg', /^\xff\xd8\xff/, isWholeJpeg],
  ['image/gif', /^GIF8[79]a/, isWholeGif],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/, isWholeWebp],
];

/** Searches for invalid characters: matching megabytes from end to end would overflow the stack. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));

const known = new WeakMap<object, string | undefined>();

/**
 * The type of an image by its bytes, whatever its declared type: PNG, JPEG, GIF or WebP in base64. Undefined for anything
 * else, for incomplete images and invalid base64: providers refuse the whole conversation for one, in every later turn.
 */
export function imageTypeOf(block: { readonly data: string }): string | undefined {
  if (!known.has(block)) known.set(block, detectType(block.data));
  return known.get(block);
}

function detectType(data: string): string | undefined {
  // Data of foreign servers may be of any type.
  if (typeof data !== 'string' || !isBase64(data)) return undefined;
  const start = Buffer.from(data.slice(0, 32), 'base64').toString('latin1');
  const kind = kinds.find(([, signature]) => signature.test(start));
  return kind?.[2](Buffer.from(data, 'base64')) ? kind[0] : undefined;
}
