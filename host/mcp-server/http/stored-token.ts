import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptText } from './stored-text.ts';

/** The token of `serve --http`: the same at each start, so that configured clients keep working. */
export const keptToken = (stateFolder: string): Promise<string> =>
  keptText(join(stateFolder, 'serve-token'), freshToken);

export const freshToken = (): string => randomBytes(32).toString('base64url');
