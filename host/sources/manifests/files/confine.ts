import { isAbsolute, resolve } from 'node:path';
import { linkOutOf } from '../../../core/files/links.ts';
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
  const target = linkOutOf([root], path)?.target;
  return target === undefined
    ? { path }
    : { problem: `is a link that leads out of the space's folder, to ${target}` };
}
