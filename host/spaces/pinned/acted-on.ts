import { hash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** SHA-256 of files by their names within a folder, with "/" between the parts. */
export type FileHashes = { readonly [name: string]: string };

/**
 * The files of a space that a model or the host acts on: its manifest, everything in agent/ and agents/, and programs
 * wherever they lie. What its tools keep beside them is theirs. Throws when something can't be read.
 */
export function actedOn(folder: string): FileHashes {
  const files = [...filesIn(folder, [realpathSync(folder)])].map(
    (path) => [nameIn(folder, path), path] as const,
  );
  return Object.fromEntries(
    files
      .filter(([name, path]) => isActedOn(name, path))
      .map(([name, path]) => [name, hashOf(readFileSync(path))]),
  );
}

/**
 * Can it be left out while the rest goes on? A tool's manifest, a skill and a text of the agent's identity can; whatever
 * says what agents may do, and code, concerns all of a space.
 */
export const standsAlone = (name: string): boolean =>
  /^agent\/(?:tools\/.*\.(?:md|ya?ml)|skills\/.*|(?:SOUL|IDENTITY|USER)\.md)$/.test(name);

/** In the order of their names, also behind links; hidden ones too. */
function* filesIn(folder: string, above: readonly string[]): Iterable<string> {
  const names = readdirSync(folder).filter((name) => name !== '.git' && name !== 'node_modules');
  for (const name of names.sort()) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile()) yield path;
    if (!found?.isDirectory()) continue;
    const real = realpathSync(path);
    // A link to a folder above it leads in circles.
    if (!above.includes(real)) yield* filesIn(path, [...above, real]);
  }
}

function isActedOn(name: string, path: string): boolean {
  if (name === 'space.manifest.json' || /^agents?\//.test(name)) return true;
  const extension = extname(name);
  if (code.has(extension) || packages.test(name)) return true;
  return (statSync(path).mode & 0o111) !== 0 || (extension === '' && isScript(path));
}

/** Of files that interpreters, shells, compilers and loaders take. */
const code = new Set(
  'ts mts cts tsx js mjs cjs jsx wasm node sh bash zsh fish ps1 bat cmd py pyw rb pl pm php lua tcl r jl awk sed jq sql go rs c h cc cpp java jar class kts groovy so dylib dll exe mk'
    .split(' ')
    .map((name) => `.${name}`),
);
const packages = /(?:^|\/)(?:package(?:-lock)?\.json|Makefile|justfile|Dockerfile|requirements\.txt|\.env)$/;

function isScript(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    return readSync(file, start) === 2 && start.toString('latin1') === '#!';
  } finally {
    closeSync(file);
  }
}

export const nameIn = (folder: string, path: string): string => relative(folder, path).split(sep).join('/');

export const hashOf = (content: Uint8Array): string => hash('sha256', content);
