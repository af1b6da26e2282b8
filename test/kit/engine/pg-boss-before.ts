/** Loaded before anything else, it gives a host the version of pg-boss before the one that is installed. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^pg-boss(?=$|\/)/, 'pg-boss-before'), context),
});
