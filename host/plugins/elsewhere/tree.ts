import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Tree {
  /** Of its files, relative to the folder, sorted. */
  readonly names: readonly string[];
  /** Of all its files. */
  readonly bytes: number;
  /** Links, and what is neither a file nor a folder. */
  readonly unusual: readonly string[];
}

export interface TreeOptions {
  /** Leaves out an entry with everything in it. */
  readonly skips?: (entry: string, isTop: boolean) => boolean;
}

/** What is in a folder, at any depth. A missing folder is empty. */
export function treeOf(folder: string, { skips = () => false }: TreeOptions = {}): Tree {
  const names: string[] = [];
  const unusual: string[] = [];
  let bytes = 0;
  const enter = (within: string): void => {
    for (const entry of readdirSync(join(folder, within), { withFileTypes: true })) {
      if (skips(entry.name, within === '')) continue;
      const name = within === '' ? entry.name : `${within}/${entry.name}`;
      if (entry.isDirectory()) enter(name);
      else if (entry.isFile()) {
        names.push(name);
        bytes += lstatSync(join(folder, name)).size;
      } else unusual.push(name);
    }
  };
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) enter('');
  names.sort();
  return { names, bytes, unusual: unusual.sort() };
}

/** SHA-256 in hexadecimal digits. */
export const hashOfFile = (path: string): string => hash('sha256', readFileSync(path));

/** One hash for all names and contents of a tree. `hashOf`: that of one file. */
export function hashOfTree(folder: string, { names, unusual }: Tree, hashOf = hashOfFile): string {
  const lines = names.map((name) => `${hashOf(join(folder, name))} ${JSON.stringify(name)}`);
  return hash('sha256', [...lines, ...unusual.map((name) => `? ${JSON.stringify(name)}`)].join('\n'));
}
