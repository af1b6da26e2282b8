import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Where Pegboard keeps what belongs to the person who runs it and to no home: known homes, approvals, pins. Only the
 * environment of the process decides: nothing that a home could say.
 */
export function userStateFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  userHome: string = homedir(),
): string {
  const { XDG_STATE_HOME: given = '', LOCALAPPDATA: local = '' } = environment;
  // The XDG specification has relative paths ignored.
  if (isAbsolute(given)) return join(given, 'pegboard');
  if (platform === 'darwin') return join(userHome, 'Library/Application Support/pegboard');
  if (platform === 'win32')
    return join(isAbsolute(local) ? local : join(userHome, 'AppData/Local'), 'pegboard');
  return join(userHome, '.local/state/pegboard');
}
