/** Characters of an address. Longer ones are for no person to read. */
const maxAddressLength = 4_000;
/** How much of its end may be the text's around it: `**(https://example.com/a).**` */
const maxEnds = 12;

/** Where an address may end, though none of these has to be its end. */
const ends = /["'`)\]}|*_~.,;:!?…。»“”’]/;
const separators = /[\s<>"]+/;
/** A scheme with its slashes. WHATWG's parser takes "https:example.com" for an address, too. */
const scheme = /(?:https?|wss?|ftp|gopher):|[a-z][a-z\d+.-]{0,30}:[\\/]{2}/i;

/** The address as it is sent: without the fragment. Undefined for none. */
export function normalOf(address: string): string | undefined {
  const url = address.length > maxAddressLength ? null : URL.parse(address);
  if (!url) return undefined;
  url.hash = '';
  return url.href;
}

/** Whether two names of the same address are spelled differently: "HTTP://Example.com" is not as it is sent. */
export const isNormal = (address: string): boolean => {
  const normal = normalOf(address);
  return normal === address || normal === `${address}/`;
};

/**
 * The addresses that a text may mean, as they are sent and as they are written. Where one ends, the text doesn't say: an
 * end of punctuation or brackets counts as part of it, and as not.
 */
export function addressesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (written: string): void => {
    const normal = normalOf(written);
    if (normal !== undefined) found.add(written).add(normal);
  };
  for (const token of text.split(separators)) {
    const at = token.search(/https?:\/\//i);
    // Within a longer name it may be a part of another address.
    if (at < 0 || /[\p{L}\p{N}+.-]/u.test(token[at - 1] ?? ' ')) continue;
    let address = token.slice(at, at + maxAddressLength + 1);
    if (address.length > maxAddressLength) continue;
    // Markdown escapes what could end a link.
    address = address.replaceAll(/\\([()[\]_*~`!.-])/g, '$1').replaceAll('&amp;', '&');
    const inside = address.search(/[)\]'`|]/);
    if (inside > 0) add(address.slice(0, inside));
    for (let cut = 0; cut < maxEnds; cut++) {
      add(address);
      if (!ends.test(address.at(-1) ?? '')) break;
      address = address.slice(0, -1);
    }
  }
  return found;
}

/** The same of a person's text, which names an address without its scheme as well; a host's name means its home page. */
export function addressesWrittenIn(text: string): ReadonlySet<string> {
  const found = new Set(addressesIn(text));
  for (const word of text.split(/[\s<>"'`()[\]{}„“”«»,;]+/)) {
    const plain = word.replace(/[.:!?…。]+$/, '');
    if (word.length > maxAddressLength || (!/[.:]/.test(plain) && plain !== 'localhost')) continue;
    for (const one of ['https', 'http']) {
      const normal = normalOf(`${one}://${plain}`);
      if (normal !== undefined) found.add(normal);
    }
  }
  return found;
}

/** An address in an argument, and what would be sent for it; undefined where nothing can be said about that. */
export interface NamedAddress {
  readonly written: string;
  readonly href: string | undefined;
}

/** Endings of files, by which a name of two parts is one: "README.md". */
const fileEnding =
  /^[^.]+\.(?:c|cc|cfg|conf|cpp|cs|css|csv|docx?|env|gif|go|h|html?|ini|java|jpe?g|jsx?|json|lock|log|md|mjs|pdf|php|png|py|rb|rs|scss|sh|sql|svg|toml|tsx?|txt|vue|xlsx?|xml|ya?ml|zip)$/i;
/** A path, from the root, here, above or the user's home: no host stands in front of it. */
const path = /^(?:~|\.{1,2})?\/(?![\\/])/;
/** "10:30", "1.5", "v1.2.3", "is:open", "Note:"; four numbers with dots are an address, and so is a port of this machine. */
const harmless =
  /^(?!\d+(?:\.\d+){3}(?![.\d]))(?!localhost:\d)(?:v?\d+(?:[.:,]\d+)*|[\p{L}\p{N}_-]+(?::[\p{L}\p{N}_-]+)?)[.,:;!?]*$/iu;
/** ISO 8601: "2026-11-30T10:00:00.5+01:00". */
const time = /^(?:(?:\d{4}-[\dW-]{3,6})?T)?\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Every address in a text that a program might open, in whatever form. What is none is listed: plain words, numbers, times,
 * paths, and names of files.
 */
export function addressesNamedIn(text: string): readonly NamedAddress[] {
  const whole = text.trim();
  if (startsWithAddress(whole)) return [{ written: whole, href: hrefOf(whole) }];
  return whole
    .normalize('NFKC')
    .split(separators)
    .flatMap((token) => {
      const word = token.replace(/^[('`[{*_]+/, '').replace(/[)'`\]}*_.,;:!?]{1,3}$/, '');
      if (word === '' || isNoAddress(word)) return [];
      const at = word.search(scheme);
      return [{ written: token, href: at < 0 ? hrefOf(word) : normalOf(word.slice(at)) }];
    });
}

const startsWithAddress = (text: string): boolean => text.search(scheme) === 0;

function isNoAddress(word: string): boolean {
  if ([harmless, time, path, fileEnding].some((one) => one.test(word))) return true;
  if (scheme.test(word) || /%[\da-f]{2}/i.test(word) || /^[\\/]{2}/.test(word)) return false;
  const [host = ''] = word.split(/[/?#\\]/);
  const name = host.replace(/^[^@]*@/, '').replace(/:\d*$/, '');
  if (host.includes('@') || /:/.test(host)) return false;
  // What has no dot is the beginning of a path, or no host of anybody else's.
  return !/[.。]/.test(name) && !/^(?:localhost|\d+|0x[\da-f]+)$/i.test(name);
}

/** With a scheme where there is none. */
export const hrefOf = (written: string): string | undefined =>
  startsWithAddress(written) ? normalOf(written) : normalOf(`https://${written.replace(/^[\\/]+/, '')}`);
