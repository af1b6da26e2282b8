import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { PegboardError } from './core/errors.ts';
import { configFile } from './core/files/config-files.ts';
import { findUp } from './core/files/paths.ts';

/** `--home`, else `$PEGBOARD_HOME`; undefined when neither names a home. */
export const givenHome = (
  flag: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined => flag ?? (environment['PEGBOARD_HOME'] || undefined);

/** `--home`, else `$PEGBOARD_HOME`, else the nearest folder upward with a pegboard.yaml, else `~/.pegboard`. Absolute. Throws PEG_USAGE for an empty flag. */
export function findHome(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  cwd = process.cwd(),
): string {
  if (flag === '')
    throw new PegboardError('PEG_USAGE', '--home needs a folder, and what it was given is empty.');
  const given = givenHome(flag, environment);
  if (given !== undefined) return resolve(cwd, given);
  return findUp(cwd, configFile) ?? join(homedir(), '.pegboard');
}
