import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../files/paths.ts';

/**
 * Removes the variables of this process from /proc/PID/environ, where child processes could read them. Once per
 * process; the entry point may have done it before. False where it is impossible.
 */
export const hideEnvironment = (): boolean =>
  (createRequire(import.meta.url)(join(packageRoot, 'bin/hide-environment.cjs')) as () => boolean)();
