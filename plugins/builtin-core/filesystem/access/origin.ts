import { join } from 'node:path';
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

/** A result with names of what is in a folder, by their paths in it, marked as untrusted if others wrote one of them. */
export function namesFrom<Result extends ToolResult>(
  access: Pick<FileAccess, 'roots' | 'origins'>,
  folder: string,
  names: readonly string[],
  result: Result,
): Result {
  const origin = originOf(access, folder) ?? access.origins.ofAny(names.map((name) => join(folder, name)));
  return origin ? markUntrusted(result, origin) : result;
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
