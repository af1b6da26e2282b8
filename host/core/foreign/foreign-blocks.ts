import type { Content } from '../../api/result.ts';

/**
 * Content of a server that isn't of MCP as we know it, by the text that stands for it everywhere in Pegboard. A block that
 * was changed on the way, because it held a secret, is another object, and nothing is known of it.
 */
const foreign = new WeakMap<Content, object>();

export function rememberOriginal(text: Content, block: object): void {
  foreign.set(text, block);
}

/** What an MCP client gets: the block as it came. */
export const originalBlock = (block: Content): object => foreign.get(block) ?? block;
