import { markUntrusted, textResult, type Origin, type ToolResult } from 'pegboard';
import type { FileAccess } from './file-access.ts';
import { fromHome } from './roots.ts';

/** Who wrote what lies at a real path; undefined: the owner. */
export function originOf(
  { roots, origins }: Pick<FileAccess, 'roots' | 'origins'>,
  path: string,
): Origin | undefined {
  return origins.of(path) ?? (fromHome(roots, path) ? undefined : { kind: 'file', what: path });
}

/** A result that shows something of what lies at `paths`: marked as others' words where one of these holds such. */
export function shownFrom(
  access: Pick<FileAccess, 'roots' | 'origins'>,
  paths: Iterable<string>,
  shown: ToolResult | string,
): ToolResult {
  const result = typeof shown === 'string' ? textResult(shown) : shown;
  for (const path of paths) {
    const origin = originOf(access, path);
    if (origin) return markUntrusted(result, origin);
  }
  return result;
}
