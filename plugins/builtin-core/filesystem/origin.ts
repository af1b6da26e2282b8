import { markUntrusted, textResult, type ToolResult } from 'pegboard';
import type { FileAccess } from './file-access.ts';
import { fromHome } from './roots.ts';

/** A result that shows something of what lies at `paths`: marked as others' words where one of these holds such. */
export function shownFrom(
  { roots, origins }: Pick<FileAccess, 'roots' | 'origins'>,
  paths: Iterable<string>,
  shown: ToolResult | string,
): ToolResult {
  const result = typeof shown === 'string' ? textResult(shown) : shown;
  for (const path of paths) {
    const known = origins.of(path);
    if (known) return markUntrusted(result, known);
    if (!fromHome(roots, path)) return markUntrusted(result, { kind: 'file', what: path });
  }
  return result;
}
