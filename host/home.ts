import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { configFile } from './core/files/config-files.ts';
import { findUp } from './core/files/paths.ts';

/** `--home`, else `$PEGBOARD_HOME`, else the nearest folder upward with a pegboard.yaml, else `~/.pegboard`. Absolute. */
export function findHome(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  cwd = process.cwd(),
): string {
  const given = flag ?? (environment['PEGBOARD_HOME'] || undefined);
  if (given !== undefined) return resolve(cwd, given);
  return findUp(cwd, configFile) ?? join(homedir(), '.pegboard');
}
