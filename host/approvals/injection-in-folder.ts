import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findInjectionPatterns } from '../core/foreign/injection-patterns.ts';
import { readTextFile } from '../core/files/text-file.ts';

/** Instructions to models in the texts of a folder: "it asks … (skills/x.md)". */
export function findInjectionInFolder(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).split('/').includes('node_modules'))
    .sort();
  return paths.flatMap((path) => {
    const { text } = readTextFile(path, [folder]);
    return text === undefined ? [] : findInjectionPatterns({ [relative(folder, path)]: text });
  });
}
