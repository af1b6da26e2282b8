import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Surroundings } from './api/surroundings.ts';
import { PegboardError } from './core/errors.ts';
import { configFile } from './core/files/config-files.ts';
import { projectHomeName } from './core/files/project.ts';

/** `--home`, else `$PEGBOARD_HOME`; undefined when neither names a home. */
export const givenHome = (flag: string | undefined, { env }: Pick<Surroundings, 'env'>): string | undefined =>
  flag ?? (env['PEGBOARD_HOME'] || undefined);

/** The user's own home where no other is chosen. */
export const ownHome = ({ userHome }: Pick<Surroundings, 'userHome'>): string =>
  join(userHome, projectHomeName);

/**
 * `--home`, else `$PEGBOARD_HOME`, else the nearest folder upward that has a pegboard.yaml, itself or in its `.pegboard`,
 * else `~/.pegboard`. Absolute. Throws PEG_USAGE for an empty flag.
 */
export function findHome(flag: string | undefined, surroundings: Omit<Surroundings, 'clock'>): string {
  if (flag === '')
    throw new PegboardError('PEG_USAGE', '--home needs a folder, and what it was given is empty.');
  const given = givenHome(flag, surroundings);
  const cwd = surroundings.cwd();
  if (given !== undefined) return resolve(cwd, given);
  return homeAbove(cwd) ?? ownHome(surroundings);
}

function homeAbove(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = [folder, join(folder, projectHomeName)].find((home) => existsSync(join(home, configFile)));
    if (found !== undefined || folder === dirname(folder)) return found;
  }
}
