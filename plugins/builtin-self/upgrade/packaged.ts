import { basename, dirname, sep } from 'node:path';
import { quoteWord } from 'pegboard/kit';

/**
 * The command that upgrades an installed package that lies in `root`. `newer`: what to install, as the package manager
 * takes it.
 */
export function upgradeCommand(root: string, newer: string): string {
  const modules = `${sep}node_modules${sep}`;
  const has = (part: string): boolean => root.includes(`${sep}${part}${sep}`);
  if (has('_npx')) return `npx ${newer}`;
  const first = root.indexOf(modules);
  const folder = first < 0 ? dirname(root) : root.slice(0, first);
  const isGlobal =
    basename(folder) === 'lib' || basename(folder).toLowerCase() === 'npm' || has('global') || has('.bun');
  if (has('.pnpm') || has('pnpm'))
    return isGlobal ? `pnpm add --global ${newer}` : `pnpm add --dir ${quoteWord(folder)} ${newer}`;
  if (has('.bun')) return `bun add --global ${newer}`;
  if (has('.config') && has('yarn')) return `yarn global add ${newer}`;
  // npm has its global packages in lib/node_modules of its prefix, and on Windows in node_modules.
  const prefix = basename(folder) === 'lib' ? dirname(folder) : folder;
  return `npm install${isGlobal ? ' --global' : ''} --prefix ${quoteWord(prefix)} ${newer}`;
}

/** The file that `npm pack` makes of a later version. */
export const packedName = './pegboard-VERSION.tgz';
