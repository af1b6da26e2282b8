import type { Content } from '../../api/result.ts';

/**
 * Content of a server that isn't known MCP content, by the text that represents it within Pegboard. A block that was
 * changed on the way, because it contained a secret, is a different object without an original.
 */
const foreign = new WeakMap<Content, object>();

export function rememberOriginal(text: Content, block: object): void {
  foreign.set(text, block);
}

/** The block for MCP clients, as the server sent it. */
export const originalBlock = (block: Content): object => foreign.get(block) ?? block;
