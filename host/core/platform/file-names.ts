import { thisPlatform } from './this-platform.ts';

import { PegboardError } from '../errors.ts';

/** Names of devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** Why the system refuses a file of this name, or stores it under another one. Undefined when it doesn't. */
function fileNameProblem(name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  const [character] = /[<>:"/\\|?*\0-\x1f]/.exec(name) ?? [];
  if (character !== undefined) return `Windows allows no ${JSON.stringify(character)} in a file name`;
  if (devices.test(name)) return 'Windows keeps this name for a device';
  return /[. ]$/.test(name) ? 'Windows drops the dot or space at its end' : undefined;
}

/** Throws PEG_INVALID_ARGUMENTS for a path with a name that this system refuses or changes. */
export function checkFileNames(path: string, platform: NodeJS.Platform = thisPlatform): void {
  if (platform !== 'win32') return;
  const names = path.replace(/^[a-z]:(?=[\\/])/i, '').split(/[\\/]/);
  for (const name of names.filter((one) => one !== '' && one !== '.' && one !== '..')) {
    const problem = fileNameProblem(name, platform);
    if (problem === undefined) continue;
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `${path} can't be a file here: ${problem} (${JSON.stringify(name)}). Choose another name.`,
    );
  }
}
