import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = pathToFileURL(join(import.meta.dirname, '../../..', '/')).href;
const modules = `${root}node_modules/`;

declare global {
  var resolvesOwnImports: true | undefined;
}

/**
 * Resolves relative imports of this repository by their address alone. vitest would report each of them to its main
 * process, for its watch mode: thousands for every process that loads the host.
 */
if (!globalThis.resolvesOwnImports) {
  globalThis.resolvesOwnImports = true;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      const isOwn =
        /^\.\.?\//.test(specifier) && parentURL?.startsWith(root) && !parentURL.startsWith(modules);
      return isOwn
        ? { url: new URL(specifier, parentURL).href, shortCircuit: true }
        : next(specifier, context);
    },
  });
}
