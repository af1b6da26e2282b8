import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { storedText } from './stored-text.ts';

/** The token of `serve --http`: the same at each start, so that configured clients keep working. */
export const storedToken = (stateFolder: string): Promise<string> =>
  storedText(join(stateFolder, 'serve-token'), freshToken);

export const freshToken = (): string => randomBytes(32).toString('base64url');
