import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What plugins that ship share with the kernel. A package bundles them with it, and offers nobody these. */
const internal = [
  'pegboard/browser',
  'pegboard/home',
  'pegboard/kit',
  'pegboard/serving',
  'pegboard/terminal',
];

/** What can be imported from the package. */
export const publicEntries = (root: string): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(allEntries(root)).filter(([name]) => !internal.includes(name)));

/**
 * What can be imported in a clone, from the exports of package.json: "pegboard/files" and the absolute path of its
 * TypeScript file. Longer names first, as a bundler's alias wants them.
 */
export function allEntries(root: string): { readonly [name: string]: string } {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: { readonly [entry: string]: string };
  };
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([, file]) => file.endsWith('.ts'))
      .map(([entry, file]) => [`pegboard${entry.slice(1)}`, join(root, file)] as const)
      .toSorted(([a], [b]) => b.length - a.length),
  );
}
