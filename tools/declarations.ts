import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** A relative import in a declaration file, as TypeScript writes them. */
const imports = /((?:from|import)\s*\(?\s*['"])(\.[^'"]+)\.ts(['"])/g;

/** An import of names from an entry that a package doesn't offer. */
const internalImports =
  /((?:im|ex)port (?:type )?)\{([^}]*)\} from ['"]pegboard\/(kit|home|serving|terminal)['"];/g;

/**
 * Writes the declaration files that `entries`, absolute paths of TypeScript files, need into `dist`, at the places that
 * they have in the project. Types are not checked.
 */
export function writeDeclarations(root: string, entries: readonly string[], dist: string): void {
  const work = mkdtempSync(join(tmpdir(), 'pegboard-types-'));
  try {
    const config = join(work, 'tsconfig.json');
    const options = {
      noEmit: false,
      // Types are checked by npm run types.
      noCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: root,
      outDir: join(work, 'out'),
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: options,
        files: entries,
        include: [],
      }),
    );
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], {
      cwd: root,
      stdio: 'inherit',
    });
    for (const entry of entries) copy(relative(root, entry), join(work, 'out'), dist);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The declarations of one file, and of all that it imports. */
function copy(file: string, from: string, dist: string): void {
  const declarations = file.replace(/\.ts$/, '.d.ts');
  const target = join(dist, declarations);
  if (existsSync(target)) return;
  const text = readFileSync(join(from, declarations), 'utf8').replace(
    internalImports,
    (_, words: string, names: string, entry: string) =>
      listOf(names)
        .map((name) => `${words}{ ${name} } from '${originOf(name, { entry, file, from })}';`)
        .join('\n'),
  );
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replace(imports, '$1$2.js$3'));
  for (const [, , path] of text.matchAll(imports)) copy(`${join(dirname(file), path!)}.ts`, from, dist);
}

const listOf = (names: string): readonly string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** The file that an entry has a name from, as a relative import of `file`. Throws for a name that it renames. */
function originOf(
  name: string,
  { entry, file, from }: { readonly entry: string; readonly file: string; readonly from: string },
): string {
  const folder = 'host/exports';
  const text = readFileSync(join(from, folder, `${entry}.d.ts`), 'utf8');
  const bare = (one: string): string => one.replace(/^type /, '');
  for (const [, names = '', path = ''] of text.matchAll(
    /export (?:type )?\{([^}]*)\} from ['"]([^'"]+)['"]/g,
  ))
    if (listOf(names).map(bare).includes(bare(name)))
      return relative(dirname(file), join(folder, path)).replace(/^(?!\.)/, './');
  throw new Error(`${file} takes ${name} from pegboard/${entry}, which has no file for it.`);
}
