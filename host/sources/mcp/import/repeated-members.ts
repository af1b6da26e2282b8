import type { Node } from 'jsonc-parser';
import { placeAt } from '../../../core/files/text-file.ts';

/** A member that occurs more than once in its object: programs differ in which one they use. */
export interface RepeatedMember {
  readonly path: readonly string[];
  /** The positions of all occurrences, in order. */
  readonly places: readonly { readonly line: number; readonly column: number }[];
}

/**
 * Duplicate members along `path` and below it, outer ones first. `text` is JSON with comments. Of duplicates, only the
 * last is searched.
 */
export async function repeatedMembers(
  text: string,
  path: readonly string[],
): Promise<readonly RepeatedMember[]> {
  const { parseTree } = await import('jsonc-parser');
  const found: RepeatedMember[] = [];
  const visit = (node: Node, at: readonly string[]): void => {
    const { type, children = [] } = node;
    if (type === 'array') return children.forEach((item, index) => visit(item, [...at, String(index)]));
    if (type !== 'object') return;
    const next = path[at.length];
    for (const [key, members] of Map.groupBy(children, (member) => String(member.children![0]!.value))) {
      if (next !== undefined && key !== next) continue;
      const here = [...at, key];
      if (members.length > 1)
        found.push({ path: here, places: members.map(({ offset }) => placeAt(text, offset)) });
      const value = members.at(-1)!.children![1];
      if (value) visit(value, here);
    }
  };
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root) visit(root, []);
  return found;
}
