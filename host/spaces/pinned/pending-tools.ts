import { join } from 'node:path';
import type { AbsentTools } from '../../api/source.ts';
import { PegboardError } from '../../core/errors.ts';
import { findManifests, nameOfManifest } from '../../sources/manifests/files/manifest-files.ts';
import type { Space } from '../space.ts';
import { allowCommand, isPending } from './pending-space.ts';

/** The tools that are left out of spaces because their files are pending approval. Files are usually named after them. */
export const pendingTools = (spaces: readonly Space[]): readonly AbsentTools[] =>
  spaces.flatMap(({ id, folder, pending }) => {
    if (!pending) return [];
    const files = findManifests(join(folder, 'agent', 'tools'), [folder]).paths;
    const names = files.filter((path) => isPending(pending, folder, path)).map(nameOfManifest);
    const why = (name: string): PegboardError =>
      new PegboardError(
        'PEG_TOOL_UNAVAILABLE',
        `${name} is pending approval: ${pending.known ? 'it is not what was approved' : `the space ${id} comes from somebody else`}. \`${allowCommand(id)}\` shows it and asks.`,
        { data: { pending: true } },
      );
    return names.length > 0 ? [{ module: id, names, why }] : [];
  });
