import { resolve } from 'node:path';
import type { Surroundings } from '../api/surroundings.ts';

/** A path as it stands on the command line: relative to the folder in which the person stands. */
export const absolutePath = (written: string, { cwd }: Pick<Surroundings, 'cwd'>): string =>
  resolve(cwd(), written);

/** The same as typed at a prompt, where no shell has replaced "~". */
export const absolutePathAtPrompt = (
  written: string,
  { cwd, userHome }: Pick<Surroundings, 'cwd' | 'userHome'>,
): string =>
  resolve(
    cwd(),
    written.replace(/^~(?=\/|$)/, () => userHome),
  );
