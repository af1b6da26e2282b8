import { basename, dirname, join } from 'node:path';
import { nothingDeclared, type PluginManifest } from './manifest.ts';

/**
 * The code of a space that its manifests run by `handler`, as one unit of trust: it includes all code of the space, because
 * each file may import the others. It has no tools of its own.
 */
export function handlerCodeOf(folder: string): PluginManifest {
  const space = basename(folder);
  return {
    id: `spaces/${space}`,
    version: '',
    description: `Functions that manifests of the space ${space} run`,
    entry: '',
    ...nothingDeclared,
    folder,
    boundary: [dirname(dirname(folder)), folder],
    path: join(folder, 'agent', 'tools'),
    builtin: false,
    dynamic: { space, root: folder, files: [] },
  };
}

/** SHA-256 hashes of the code of spaces that ship with Pegboard. Unchanged code is trusted. */
export const shippedCode: { readonly [id: string]: string } = {
  'spaces/example': '44668cede11b6bf2e25c920d816d53ac8c1da968dcb990ebd7b7603a6e9d48b0',
};
