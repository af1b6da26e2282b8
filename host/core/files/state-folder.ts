import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The folder for data of the user rather than of a home: known homes, approvals, pins. Determined only by the process
 * environment, never by a home.
 */
export function userStateFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  userHome: string = homedir(),
): string {
  const { XDG_STATE_HOME: given = '', LOCALAPPDATA: local = '' } = environment;
  // The XDG specification requires that relative paths are ignored.
  if (isAbsolute(given)) return join(given, 'pegboard');
  if (platform === 'darwin') return join(userHome, 'Library/Application Support/pegboard');
  if (platform === 'win32')
    return join(isAbsolute(local) ? local : join(userHome, 'AppData/Local'), 'pegboard');
  return join(userHome, '.local/state/pegboard');
}
