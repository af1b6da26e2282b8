import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../files/paths.ts';

/**
 * Takes the variables of this process out of /proc/PID/environ, where what it starts could read them. Once; the door has
 * done so before. False where it can't be done.
 */
export const hideEnvironment = (): boolean =>
  (createRequire(import.meta.url)(join(packageRoot, 'bin/hide-environment.cjs')) as () => boolean)();
