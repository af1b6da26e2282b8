/** The first bytes of the images that providers take, as Latin-1. */
const signatures: readonly (readonly [type: string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** Looks for what doesn't belong there: matching megabytes from end to end would take a stack of that size. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));

const known = new WeakMap<object, string | undefined>();

/**
 * What the bytes of an image are, whatever it is called: PNG, JPEG, GIF or WebP in base64. Undefined for anything else,
 * and for what is no base64: providers refuse the whole conversation for it, now and in every turn after.
 */
export function imageTypeOf(block: { readonly data: string }): string | undefined {
  if (!known.has(block)) known.set(block, judge(block.data));
  return known.get(block);
}

function judge(data: string): string | undefined {
  // The host may be given anything by a server of others.
  if (typeof data !== 'string' || !isBase64(data)) return undefined;
  const bytes = Buffer.from(data.slice(0, 32), 'base64').toString('latin1');
  return signatures.find(([, signature]) => signature.test(bytes))?.[0];
}
