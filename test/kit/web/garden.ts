import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../../system/docs/blocks.ts';
import { repository } from '../homes/clone.ts';

/** The plugin of docs/screens.md, which has a screen of every kind, in a home that trusts it. */
export function gardenFiles(change = (yaml: string): string => yaml): { readonly [file: string]: string } {
  const blocks = blocksOf(readFileSync(join(repository, 'docs/screens.md'), 'utf8'));
  const files = blocks
    .filter(({ file }) => file !== undefined)
    .map(({ file, text }) => [file!, text] as const);
  return {
    'pegboard.yaml': 'plugins: { garden: { trusted: true } }\n',
    ...Object.fromEntries(files.map(([file, text]) => [file, file.endsWith('.yaml') ? change(text) : text])),
  };
}
