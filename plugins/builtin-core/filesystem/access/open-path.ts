import { PegboardError } from 'pegboard';
import { opensByDescriptor } from 'pegboard/files';
import type { Descent, OpenedPath, OpenPathOptions } from './descent.ts';
import { walkByDescriptor } from './walk-by-descriptor.ts';
import { walkByPath } from './walk-by-path.ts';
import type { RootedPath, Roots } from './roots.ts';

const maxLinks = 8;

/**
 * Follows symlinks itself and checks every target against the roots again, so that no link, and no folder replaced by a
 * link, leads outside. Throws PEG_DENIED outside the roots.
 */
export function openPath(roots: Roots, path: string, options: OpenPathOptions = {}): OpenedPath {
  const walk: (place: RootedPath, options: OpenPathOptions) => Descent = opensByDescriptor()
    ? walkByDescriptor
    : (place, options) => walkByPath(roots, place, options);
  let place = roots.place(path);
  for (let links = 0; links <= maxLinks; links++) {
    const found = walk(place, options);
    if (!('link' in found)) return found;
    if (options.makeFolders)
      throw new PegboardError(
        'PEG_TOOL_FAILED',
        `${path} was replaced by a link while this call was being prepared.`,
      );
    place = roots.place(found.link);
  }
  throw new PegboardError('PEG_DENIED', `${path} leads through more than ${maxLinks} symbolic links.`);
}
