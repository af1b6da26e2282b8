import { thisPlatform } from './this-platform.ts';

/** Whether files have permissions for owner, group and others. On Windows, access lists of folders decide. */
export const hasModes = (platform: NodeJS.Platform = thisPlatform): boolean => platform !== 'win32';

/**
 * Whether a folder can be held open and files be opened within it, through /proc, so that a folder that is swapped for
 * a link in between can't lead elsewhere. Elsewhere, paths are checked just before they are used.
 */
export const opensByDescriptor = (platform: NodeJS.Platform = thisPlatform): boolean => platform === 'linux';
