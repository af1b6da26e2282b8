import { readdirSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** By the URL of a folder, with a slash at its end: how often its modules were loaded anew. */
const generations = new Map<string, number>();
/** By the same: when the last of them began, in milliseconds. */
const begun = new Map<string, number>();
let hooked = false;

/**
 * From now on every module below `folder` is loaded anew, whoever imports it; modules that are running keep theirs.
 * What lies in node_modules stays as it is. Nothing is ever taken out of Node's memory: each generation costs about
 * what its source texts do.
 */
export function beginGeneration(folder: string): void {
  offerHostModules();
  const root = rootOf(folder);
  generations.set(root, (generations.get(root) ?? -1) + 1);
  begun.set(root, performance.timeOrigin + performance.now());
  const { cache } = createRequire(import.meta.url);
  for (const path of Object.keys(cache)) {
    if (path.startsWith(folder + sep) && !path.includes(`${sep}node_modules${sep}`)) delete cache[path];
  }
}

/** Modules are as they are on disk now, but what did not change since a generation began is not loaded once more. */
export function joinGeneration(folder: string): void {
  const began = begun.get(rootOf(folder));
  if (began === undefined || lastChange(folder) >= began - coarseness) beginGeneration(folder);
}

/** The next one to join begins another generation: what could not be loaded is tried again. */
export function endGeneration(folder: string): void {
  begun.delete(rootOf(folder));
}

/** Milliseconds that a file system's clock may be behind. */
const coarseness = 100;

/** When a file or folder in it was written, renamed or taken out last. */
function lastChange(folder: string): number {
  let last = statSync(folder).ctimeMs;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    last = Math.max(
      last,
      statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.ctimeMs ?? last,
    );
  return last;
}

const rootOf = (folder: string): string => pathToFileURL(folder + sep).href;
const generationIn = (url: string): string => /[?&]v=(\d+)/.exec(url)?.[1] ?? '0';

const hostModules = ['', '/channels', '/embed', '/files', '/processes', '/testing'].map(
  (topic) => `pegboard${topic}`,
);

/**
 * Wherever a plugin lies, "pegboard" is the very host that runs it: in a clone, a built package, beside another
 * installed copy. TypeBox and Kysely come with the host for plugins that don't bring their own.
 */
export function offerHostModules(): void {
  if (hooked) return;
  hooked = true;
  // Looked up before there are hooks that would be asked for them.
  const hosts = new Map(hostModules.map((name) => [name, import.meta.resolve(name)]));
  registerHooks({
    resolve(specifier, context, next) {
      const own = hosts.get(specifier);
      if (own !== undefined) return next(own, context);
      const found = orLent(
        specifier,
        () => next(specifier, context),
        () => next(specifier, { ...context, parentURL: import.meta.url }),
      );
      if (!found.url.startsWith('file:') || found.url.includes('/node_modules/')) return found;
      const root = generations.keys().find((known) => found.url.startsWith(known));
      if (root === undefined) return found;
      // A late import() stays in the generation of the module that makes it.
      const inherited = context.parentURL?.startsWith(root) ? generationIn(context.parentURL) : undefined;
      const generation = inherited ?? String(generations.get(root));
      return generation === '0' ? found : { ...found, url: `${found.url.split('?')[0]}?v=${generation}` };
    },
  });
}

const lent = /^(typebox|kysely)(\/|$)/;

function orLent<T>(specifier: string, own: () => T, hosts: () => T): T {
  try {
    return own();
  } catch (cause) {
    if (!lent.test(specifier)) throw cause;
    return hosts();
  }
}
