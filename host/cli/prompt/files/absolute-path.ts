import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** A path as the person at the terminal writes it: relative to where they stand, or to their own folder with "~". */
export const absolutePath = (written: string): string =>
  resolve(written.replace(/^~(?=\/|$)/, () => homedir()));
