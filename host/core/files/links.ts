import { readlinkSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { isWithin } from './paths.ts';

/** Absolute folders that a file must really lie in, whatever links lead to it. */
export type Boundary = readonly string[];

/** A symbolic link, and where it leads. Both are absolute. */
export interface LinkOut {
  readonly link: string;
  readonly target: string;
}

/** The link by which `path` leads out of the boundary. Undefined also when nothing is there. */
export function linkOutOf(boundary: Boundary, path: string): LinkOut | undefined {
  const target = realOf(path);
  if (target === undefined || liesIn(boundary, target)) return undefined;
  const outermost = boundary
    .filter((folder) => isWithin(folder, path))
    .reduce((shortest, folder) => (folder.length < shortest.length ? folder : shortest), path);
  for (let end = outermost.length; end < path.length;) {
    const next = path.indexOf(sep, end + 1);
    end = next === -1 ? path.length : next;
    const link = path.slice(0, end);
    const real = realOf(link);
    if (real !== undefined && !liesIn(boundary, real)) return { link, target: real };
  }
  return { link: path, target };
}

/** Whether the open file really lies in the boundary. On Linux no link can be swapped in between. */
export function isOpenedIn(boundary: Boundary, path: string, descriptor: number): boolean {
  return liesIn(boundary, placeOf(descriptor) ?? realpathSync.native(path));
}

/** Undefined where the system doesn't say. */
function placeOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

/** Real paths of folders are looked up only when they are needed, which is rare. */
const liesIn = (boundary: Boundary, real: string): boolean =>
  boundary.some((folder) => isWithin(folder, real)) ||
  boundary.some((folder) => isWithin(realOf(folder) ?? folder, real));

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Names the link, and nothing of what it leads to. */
export const linkOutDiagnostic = ({ link, target }: LinkOut): Diagnostic => ({
  severity: 'error',
  code: 'link-out-of-home',
  message: `this symbolic link leads out of the home, to ${target}; what is there is not read`,
  path: link,
  hint: 'put the file itself here, or link the whole folder of the space or plugin',
});

/** Every file that is reached through a link reports it. */
export function withoutRepeatedLinks(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string | undefined>();
  return diagnostics.filter(({ code, path }) => {
    if (code !== 'link-out-of-home') return true;
    if (seen.has(path)) return false;
    seen.add(path);
    return true;
  });
}
