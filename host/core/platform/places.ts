import { isAbsolute, join } from 'node:path';
import type { Surroundings } from '../../api/surroundings.ts';
import { thisPlatform } from './this-platform.ts';

/** The user, with the variables that move their folders. */
export type User = Pick<Surroundings, 'env' | 'userHome'>;

/** The user whose folders are meant. */
export interface UserPlaces {
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  /** Variables that move folders: XDG_CONFIG_HOME, XDG_STATE_HOME, APPDATA, LOCALAPPDATA. */
  readonly environment?: Readonly<NodeJS.ProcessEnv> | undefined;
}

/** Of the current user. */
export const placesOf = ({ userHome, env }: User): UserPlaces => ({
  userHome,
  platform: thisPlatform,
  environment: env,
});

/**
 * The folder for data of the user rather than of a home: known homes, approvals, pins. Determined only by the process
 * environment, never by a home.
 */
export function userStateFolder({ env, userHome }: User, platform: NodeJS.Platform = thisPlatform): string {
  const { XDG_STATE_HOME: given = '', LOCALAPPDATA: local = '' } = env;
  // The XDG specification requires that relative paths are ignored.
  if (isAbsolute(given)) return join(given, 'pegboard');
  if (platform === 'darwin') return join(userHome, 'Library/Application Support/pegboard');
  if (platform === 'win32')
    return join(isAbsolute(local) ? local : join(userHome, 'AppData/Local'), 'pegboard');
  return join(userHome, '.local/state/pegboard');
}

/** Where applications keep their settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
export function settingsFolder({ userHome, platform, environment = {} }: UserPlaces): string {
  if (platform === 'darwin') return join(userHome, 'Library/Application Support');
  if (platform === 'win32') return environment['APPDATA'] || join(userHome, 'AppData/Roaming');
  return environment['XDG_CONFIG_HOME'] || join(userHome, '.config');
}
