import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isWithin } from '../../../core/files/paths.ts';

/** The absolute path of `written` inside `root`, or why it is outside, by its own path or through a symbolic link. */
export function placeInside(
  root: string,
  written: string,
): { readonly path: string } | { readonly problem: string } {
  if (isAbsolute(written) || written.startsWith('~'))
    return { problem: "must be written from the space's folder" };
  const path = resolve(root, written);
  if (!isWithin(root, path)) return { problem: "lies outside the space's folder" };
  const target = linkOutOf(root, path);
  return target === undefined
    ? { path }
    : { problem: `is a link that leads out of the space's folder, to ${target}` };
}

/** Where a path in `root` really is, when that is elsewhere. */
export function linkOutOf(root: string, path: string): string | undefined {
  const real = realOf(path);
  return real !== undefined && !isWithin(realOf(root) ?? root, real) ? real : undefined;
}

/** Undefined when nothing is there. */
function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
