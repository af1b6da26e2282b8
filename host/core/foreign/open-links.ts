/** Whether an address may stand behind other words. */
export type IsKnownAddress = (address: string) => boolean;

/** Markdown in which every link, picture and definition whose address isn't known is text that shows the address whole. */
export function openLinks(markdown: string, isKnown: IsKnownAddress): string {
  const filter = createLinkFilter(isKnown);
  return filter.add(markdown) + filter.end();
}

/** The same for streamed text: holds back what may become a link. */
export interface LinkFilter {
  /** The text that can be shown now. */
  add(piece: string): string;
  /** The rest. */
  end(): string;
}

/** What every link, picture and definition has between its words and its address. */
const middle = /\](?:$|[(:])/g;
/** A path, a part of the page, or nothing: no scheme, and no host. What Markdown or HTML decodes may be either. */
const local = /^(?:[\w#?.~-][^:&\\<]*|\/(?:[^/:&\\<][^:&\\<]*)?)?$/;
/** Characters. Nobody has said longer ones. */
const maxLength = 4_000;

export function createLinkFilter(isKnown: IsKnownAddress): LinkFilter {
  let pending = '';
  const isHarmless = (address: string): boolean =>
    local.test(address) || (!/[\\<]|&(?:#|\w+;)/.test(address) && isKnown(address));
  const take = (isComplete: boolean): string => {
    let shown = '';
    let from = 0;
    for (const { index } of pending.matchAll(middle)) {
      const after = index + 1;
      const address = after === pending.length ? undefined : addressAt(pending, after + 1);
      if (!isComplete && address === undefined) {
        shown += pending.slice(from, index);
        pending = pending.slice(index);
        return shown;
      }
      // No Markdown takes an address that a space separates from its words.
      const written = address ?? pending.slice(after + 1).trimStart();
      shown += `${pending.slice(from, after)}${isHarmless(written) ? '' : ' '}`;
      from = after;
    }
    shown += pending.slice(from);
    pending = '';
    return shown;
  };
  return {
    add(piece) {
      pending += piece;
      return take(false);
    },
    end: () => take(true),
  };
}

/**
 * The address that begins there, behind spaces (of ASCII: others belong to it), without its angle brackets. Undefined if
 * the text may go on with it.
 */
function addressAt(text: string, from: number): string | undefined {
  const whole = text.slice(from, from + maxLength);
  const start = whole.search(/[^\0- ]/);
  let depth = 0;
  for (let at = start; at >= 0 && at < whole.length; at++) {
    const one = whole[at]!;
    if (one === '(') depth++;
    if (one <= ' ' || (one === ')' && depth-- === 0)) {
      const address = whole.slice(start, at);
      return /^<[^<>]*>$/.test(address) ? address.slice(1, -1) : address;
    }
  }
  return whole.length === maxLength ? whole : undefined;
}
