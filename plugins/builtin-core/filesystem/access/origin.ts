import { markUntrusted, type Origin, type ToolResult } from 'pegboard';
import type { FileAccess } from './file-access.ts';
import { isOwn } from './roots.ts';

/** Who wrote the file at a real path. Undefined: the owner. */
export function originOf(
  { roots, origins }: Pick<FileAccess, 'roots' | 'origins'>,
  path: string,
): Origin | undefined {
  return origins.of(path) ?? (isOwn(roots, path) ? undefined : { kind: 'file', what: path });
}

/** A result with content of files at `paths`, marked as untrusted if others wrote one of them. */
export function shownFrom<Result extends ToolResult>(
  access: Pick<FileAccess, 'roots' | 'origins'>,
  paths: Iterable<string>,
  result: Result,
): Result {
  for (const path of paths) {
    const origin = originOf(access, path);
    if (origin) return markUntrusted(result, origin);
  }
  return result;
}
