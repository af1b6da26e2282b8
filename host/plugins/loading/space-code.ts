import { basename, join } from 'node:path';
import type { PluginManifest } from './manifest.ts';

/**
 * The code of a space that its manifests run by `handler`, as something to trust: all of it counts, wherever in the
 * space it lies, for each file may import the others. It brings no tools of its own.
 */
export function handlerCodeOf(folder: string): PluginManifest {
  const space = basename(folder);
  return {
    id: `spaces/${space}`,
    version: '',
    description: `Functions that manifests of the space ${space} run`,
    entry: '',
    requires: {},
    packs: {},
    commands: {},
    folder,
    path: join(folder, 'agent', 'tools'),
    builtin: false,
    dynamic: { space, root: folder, files: [] },
  };
}

/** SHA-256 of the code of spaces that come with Pegboard: as long as it is what was shipped, it is trusted. */
export const shippedCode: { readonly [id: string]: string } = {
  'spaces/example': 'ed90638197adc4bb7cad9e90aef26c4e5679317fa02b16879813afe945d8edcb',
};
