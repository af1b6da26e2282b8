import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readRegularFile } from '../../core/files/regular-file.ts';

/** Matches what may load code by a computed name, or evaluate text as code. */
const loads =
  /\b(?:require|createRequire|Worker|eval|Function|getBuiltinModule|registerHooks)\b|["'`](?:node:)?(?:module|vm|child_process|worker_threads|cluster|fs|fs\/promises)["'`]/;
/** Any `import` without a literal specifier. */
const unclear = /\bimport\b(?!\s*(?:[\w{*$"']|\(\s*(["'])[^"'\\\n]*\1\s*\)))/;
/** A specifier that contains escapes or leads away from its file. */
const odd = /["'`]\.{0,2}\\[^nrt0'"`$\\]|["'`]\.{1,2}\/[^"'`\n]*\\|["'`](?:file:|#|\/)[^"'`\s]*\.[cm]?[jt]s/;
const relative = /["'`](\.{1,2}\/[^"'`\n]*)["'`]/g;

/**
 * Returns `files` and, recursively, the files that they import. Undefined when one could load more than it names. Imports
 * of missing files are included, because a file created there later would be loaded.
 */
export function importedFiles(files: readonly string[]): readonly string[] | undefined {
  const found = new Set<string>(files);
  for (const path of found) {
    if (!/\.[cm]?[jt]s$/.test(path) || !isThere(path)) continue;
    const text = readRegularFile(path).toString('utf8');
    if (loads.test(text) || unclear.test(text) || odd.test(text)) return undefined;
    for (const [, name] of text.matchAll(relative)) {
      const [plain = ''] = name!.split(/[?#]/);
      found.add(resolve(dirname(path), plain));
    }
  }
  return [...found].sort();
}

const isThere = (path: string): boolean => existsSync(path) && statSync(path).isFile();
