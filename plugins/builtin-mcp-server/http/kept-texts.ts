import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SharedTexts } from 'pegboard/serving';
import { storedText } from './stored-text.ts';

/** Small secrets of a server that may outlive it. */
export interface KeptTexts {
  /** `fresh` makes it when it isn't there. Throws PEG_CONFIG and PEG_DATABASE. */
  text(name: string, fresh: () => string): Promise<string>;
  /** Where it is kept, for messages. */
  nameOf(name: string): string;
}

/**
 * In files of the user's state folder (0600), which are outside the home. With `shared` in the database, for all hosts: the
 * first one brings what it has in its files, so that what its clients have stays valid.
 */
export function keepTexts(stateFolder: string, shared?: SharedTexts): KeptTexts {
  const fileOf = (name: string): string => join(stateFolder, name);
  if (!shared) return { text: (name, fresh) => storedText(fileOf(name), fresh), nameOf: fileOf };
  return {
    text: (name, fresh) =>
      shared.text(name, async () => (await readFile(fileOf(name), 'utf8').catch(fresh)).trim()),
    nameOf: (name) => `${name} in the table mcp_texts`,
  };
}

/** They end with the process. */
export const forgottenTexts: KeptTexts = {
  text: async (_name, fresh) => fresh(),
  nameOf: (name) => name,
};

/** The token of `serve --http`: the same at each start, so that configured clients keep working. */
export const keptToken = (kept: KeptTexts): Promise<string> => kept.text('serve-token', freshToken);

const freshToken = (): string => randomBytes(32).toString('base64url');
