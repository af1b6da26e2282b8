import { parseTree, type Node } from 'jsonc-parser';
import { placeAt } from '../../../core/text-file.ts';

/**
 * The first member on the way along `path` that stands in its object more than once, with the lines of all: programs read
 * one or the other of them. `text` is JSON with comments.
 */
export function repeatedMember(
  text: string,
  path: readonly string[],
): { readonly key: string; readonly lines: readonly number[] } | undefined {
  let node: Node | undefined = parseTree(text, [], { allowTrailingComma: true });
  for (const key of path) {
    const members: Node[] = (node?.children ?? []).filter(({ children }) => children?.[0]?.value === key);
    if (members.length > 1) return { key, lines: members.map(({ offset }) => placeAt(text, offset).line) };
    node = members[0]?.children?.[1];
  }
  return undefined;
}
