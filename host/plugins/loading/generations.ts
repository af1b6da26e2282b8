import { statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkImport } from './import-boundary.ts';

/** How often the modules of a folder were reloaded, by the folder's URL with a trailing slash. */
const generations = new Map<string, number>();
/** When the last reload of a folder began, in milliseconds, by the same key. */
const begun = new Map<string, number>();
let hooked = false;

/**
 * Makes later imports of modules below `folder` load them again, whichever module imports them; running modules keep what
 * they have imported. Modules in node_modules are not reloaded. Node never frees modules, so each generation costs about
 * as much memory as its source texts.
 */
export function beginGeneration(folder: string): void {
  offerHostModules();
  const root = rootOf(folder);
  generations.set(root, (generations.get(root) ?? -1) + 1);
  begun.set(root, performance.timeOrigin + performance.now());
  loaded.delete(root);
  const { cache } = createRequire(import.meta.url);
  for (const path of Object.keys(cache)) {
    if (path.startsWith(folder + sep) && !path.includes(`${sep}node_modules${sep}`)) delete cache[path];
  }
}

/** Imports current modules from disk, without loading again what did not change since the generation began. */
export function joinGeneration(folder: string): void {
  const began = begun.get(rootOf(folder));
  if (began === undefined || lastChange(folder) >= began - coarseness) beginGeneration(folder);
}

/** Makes the next join begin a new generation, so that a failed import is tried again. */
export function endGeneration(folder: string): void {
  begun.delete(rootOf(folder));
}

/** Milliseconds by which a file system's clock may lag. */
const coarseness = 100;

/** The files of modules that were loaded from a folder, and the folders that they are in, by the same key. */
const loaded = new Map<string, Set<string>>();

function remember(url: string, root: string): void {
  const paths = loaded.get(root) ?? new Set();
  loaded.set(root, paths);
  const folder = fileURLToPath(root);
  for (let path = fileURLToPath(url); !paths.has(path) && path.length >= folder.length; path = dirname(path))
    paths.add(path);
}

/** When a module that was loaded from the folder was last written, renamed or removed, or a folder that it is in. */
function lastChange(folder: string): number {
  let last = statSync(folder).ctimeMs;
  for (const path of loaded.get(rootOf(folder)) ?? [])
    last = Math.max(last, statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Infinity);
  return last;
}

const rootOf = (folder: string): string => pathToFileURL(folder.replace(/[\\/]?$/, sep)).href;
const generationIn = (url: string): string => /[?&]v=(\d+)/.exec(url)?.[1] ?? '0';

const hostModules: ReadonlySet<string> = new Set(
  ['', '/channels', '/embed', '/files', '/kit', '/processes', '/terminal', '/testing'].map(
    (topic) => `pegboard${topic}`,
  ),
);

/**
 * Resolves "pegboard" to the host that runs the plugin, wherever the plugin is: in a clone, a built package or beside
 * another installed copy. TypeBox and Kysely come with the host for plugins that don't have their own.
 */
export function offerHostModules(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const asHost = { ...context, parentURL: import.meta.url };
      if (hostModules.has(specifier)) return next(specifier, asHost);
      const origin = isPackage(specifier) ? originOf(context.parentURL) : undefined;
      const found = orLent(
        specifier,
        () => next(specifier, origin === undefined ? context : { ...context, parentURL: origin }),
        () => next(specifier, asHost),
      );
      // Packages may be linked from anywhere; they are not part of what is approved.
      if (!isPackage(specifier)) checkImport(found.url, context.parentURL);
      if (!found.url.startsWith('file:') || found.url.includes('/node_modules/')) return found;
      const root = generations.keys().find((known) => found.url.startsWith(known));
      if (root === undefined) return found;
      remember(found.url, root);
      // A dynamic import() stays in the generation of the importing module.
      const inherited = context.parentURL?.startsWith(root) ? generationIn(context.parentURL) : undefined;
      const generation = inherited ?? String(generations.get(root));
      return generation === '0' ? found : { ...found, url: `${found.url.split('?')[0]}?v=${generation}` };
    },
  });
}

/** Where copied code comes from, by the URL of the copy's folder. Both end with a slash. */
const origins = new Map<string, string>();

/** Lets modules below `copy` import the packages that modules at the same place below `origin` can import. */
export function usePackagesOf(copy: string, origin: string): void {
  offerHostModules();
  origins.set(rootOf(copy), rootOf(origin));
}

/** Where a module in a copy was copied from. Undefined for other modules. */
function originOf(url: string | undefined): string | undefined {
  const copy = url === undefined ? undefined : origins.keys().find((known) => url.startsWith(known));
  return copy === undefined ? undefined : url!.replace(copy, origins.get(copy)!);
}

/** Neither a path nor a URL nor an import of the package itself. */
const isPackage = (specifier: string): boolean => !/^(?:[./#]|\w+:)/.test(specifier);

const lent = /^(typebox|kysely)(\/|$)/;

function orLent<T>(specifier: string, own: () => T, hosts: () => T): T {
  try {
    return own();
  } catch (cause) {
    if (!lent.test(specifier)) throw cause;
    return hosts();
  }
}
