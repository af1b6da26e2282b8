import { isWholeGif, isWholeJpeg, isWholePng, isWholeWebp, type IsWhole } from './image-structure.ts';

/** The images that providers take: their first bytes as Latin-1, and whether the rest is there. */
const kinds: readonly (readonly [type: string, signature: RegExp, isWhole: IsWhole])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/, isWholePng],
  ['image/jpeg', /^\xff\xd8\xff/, isWholeJpeg],
  ['image/gif', /^GIF8[79]a/, isWholeGif],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/, isWholeWebp],
];

/** Looks for what doesn't belong there: matching megabytes from end to end would take a stack of that size. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));

const known = new WeakMap<object, string | undefined>();

/**
 * What the bytes of an image are, whatever it is called: PNG, JPEG, GIF or WebP in base64. Undefined for anything else,
 * for one of which a part is missing, and for what is no base64: providers refuse the whole conversation for it, now and in every turn after.
 */
export function imageTypeOf(block: { readonly data: string }): string | undefined {
  if (!known.has(block)) known.set(block, detectType(block.data));
  return known.get(block);
}

function detectType(data: string): string | undefined {
  // The host may be given anything by a server of others.
  if (typeof data !== 'string' || !isBase64(data)) return undefined;
  const start = Buffer.from(data.slice(0, 32), 'base64').toString('latin1');
  const kind = kinds.find(([, signature]) => signature.test(start));
  return kind?.[2](Buffer.from(data, 'base64')) ? kind[0] : undefined;
}
